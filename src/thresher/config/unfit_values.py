"""Which rule a value of a setting does not follow, as data: from what pydantic reports to the list of rules."""

from typing import Any, Final, Literal, get_args, get_origin

from pydantic_core import ErrorDetails

from thresher.config.settings import Settings
from thresher.faults import Rule, SettingUnfit

_KINDS: Final = {
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size", "int_from_float"), Rule.WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), Rule.NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), Rule.BOOLEAN),
    **dict.fromkeys(("string_type", "string_sub_type"), Rule.TEXT),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type"), Rule.LIST),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type"), Rule.TABLE),
    **dict.fromkeys(("literal_error", "enum"), Rule.CHOICE),
}
"""Pydantic's names of errors about the type of a value, and the rules."""

_LIMITS: Final = {
    "greater_than_equal": (Rule.LEAST, "ge"),
    "less_than_equal": (Rule.MOST, "le"),
    "greater_than": (Rule.ABOVE, "gt"),
    "less_than": (Rule.BELOW, "lt"),
}
"""Pydantic's names of errors about limits, the rules, and what it calls the limit."""


def unfit(setting: str, found: ErrorDetails) -> SettingUnfit:
    """Return the rule that the value of a setting does not follow, by what pydantic found.

    >>> from pydantic import TypeAdapter, ValidationError
    >>> try:
    ...     TypeAdapter(int).validate_python("many")
    ... except ValidationError as error:
    ...     unfit("crawl.pages", error.errors()[0]).rule.value
    'whole'
    """
    kind = found["type"]
    if kind in _LIMITS:
        rule, name = _LIMITS[kind]
        return SettingUnfit(setting, rule, f"{found['ctx'][name]:g}")
    rule = _KINDS.get(kind, Rule.OTHER)
    if rule is Rule.CHOICE:
        choices = _choices(setting)
        return SettingUnfit(setting, rule, ", ".join(map(str, choices))) if choices else SettingUnfit(setting)
    return SettingUnfit(setting, rule)


def _choices(setting: str) -> tuple[Any, ...]:
    """Return what a setting can be, if it is one of a few words.

    >>> _choices("crawl.pages")
    ()
    """
    section, _, name = setting.partition(".")
    table = Settings.model_fields.get(section)
    fields = getattr(table.annotation, "model_fields", {}) if table is not None else {}
    kind = fields[name].annotation if name in fields else None
    return get_args(kind) if get_origin(kind) is Literal else ()
