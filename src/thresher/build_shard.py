"""Creates the shard of a crawl from the settings: manners, scope and trap limits."""

from collections.abc import Iterable

from msgspec.structs import replace

from thresher.config.settings import Settings
from thresher.protocols import Clock, Merges, Prices, Strategy
from thresher.shard import make
from thresher.shard.protocol import Shard
from thresher.shard.rules import Manners, Scope, ShardRules, StandingRule, TrapLimits, homes_of
from thresher.store.protocol import Store
from thresher.web.user_agent import TOKEN

WITHIN = 3.0
"""Log-odds by which the best candidates of two queues may differ while the queues are still served in turn."""

OF_SHARES = 0.1
"""Size of `focus.discovery` if scores are shares of a query instead of log-odds."""


def make_shard(
    store: Store, crawl: int, settings: Settings, strategy: Strategy, clock: Clock, homes: Iterable[str]
) -> Shard:
    """Return a shard responsible for every host; the scope is measured from the seeds in `homes`."""
    rules = make_rules(settings, homes, strategy)
    removed = frozenset(page for page, found in store.decisions.settled().items() if found.topic is None)
    rules = replace(rules, scope=replace(rules.scope, removed=removed))
    return make.make_shard(store, crawl, clock, rules, strategy if isinstance(strategy, Merges) else None)


def make_rules(settings: Settings, homes: Iterable[str], strategy: Strategy) -> ShardRules:
    """Return the rules of a shard; a host's record counts only if scores are log-odds."""
    manners, focus = settings.manners, settings.focus
    meaning = strategy.prices if isinstance(strategy, Prices) else None
    comparable = meaning == "log-odds"
    standing = StandingRule()
    if comparable:
        standing = StandingRule(focus.record, focus.variety, focus.discovery)
    elif meaning == "shares":
        standing = StandingRule(discovery=OF_SHARES * focus.discovery)
    return ShardRules(
        manners=Manners(
            per_host=manners.per_host,
            per_domain=manners.per_domain,
            delay=manners.delay,
            max_delay=manners.max_delay,
            backoff=manners.backoff,
            retry=manners.retry,
            max_failures=manners.max_failures,
            max_tries=manners.max_tries,
            quota=manners.quota,
        ),
        scope=make_scope(settings, homes),
        traps=TrapLimits(**settings.traps.model_dump()) if manners.traps else None,
        agent=TOKEN if manners.robots else "",
        bound=settings.frontier.bound,
        bucket=settings.frontier.bucket,
        standing=standing,
        within=WITHIN if comparable else 0.0,
        balance=focus.balance if comparable else 0.0,
        prices=meaning,
    )


def make_scope(settings: Settings, seeds: Iterable[str]) -> Scope:
    """Return the scope of a crawl."""
    crawl = settings.crawl
    return Scope(
        extent=crawl.scope,
        homes=homes_of(seeds, crawl.scope),
        max_depth=None if crawl.max_depth < 0 else crawl.max_depth,
        exclude=crawl.exclude,
        max_url=crawl.max_url,
    )
