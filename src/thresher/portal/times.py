"""Formats times and durations for the reader's language."""

from datetime import date, datetime, time

from babel.dates import format_date, format_skeleton, format_time
from markupsafe import Markup

from thresher.portal.messages import Messages


class Times:
    """Formats for one language; `now` is wall time, and all times are local."""

    def __init__(self, messages: Messages, now: float) -> None:
        self._messages = messages
        self._now = now

    def clock(self, at: float) -> str:
        """Return the time of day, as in 22:51, with the date before it unless it is today or within 12 hours."""
        moment = datetime.fromtimestamp(at)
        told = str(format_time(moment.time(), format="short", locale=self._messages.locale))
        if abs(at - self._now) < 12 * 3600 or moment.date() == datetime.fromtimestamp(self._now).date():
            return told
        return f"{self.day(moment.date())} {told}"

    def of_day(self, minute: int) -> str:
        """Return a minute of the day as a time, as in 22:00."""
        return str(format_time(time(minute // 60 % 24, minute % 60), format="short", locale=self._messages.locale))

    def day(self, day: date) -> str:
        """Return a day without its year, as in 3 Nov, in German 3. Nov."""
        return str(format_skeleton("MMMd", day, locale=self._messages.locale))

    def full_day(self, at: float) -> str:
        """Return a day in full, as in Monday, 16 November 2026."""
        return str(format_date(datetime.fromtimestamp(at), format="full", locale=self._messages.locale))

    def length(self, seconds: float) -> Markup:
        """Return a duration in seconds, minutes or hours."""
        if seconds < 90:
            return self._messages.say("work.seconds", n=max(1, round(seconds)))
        if seconds < 5400:
            return self._messages.say("work.minutes", n=round(seconds / 60))
        return self._messages.say("work.hours", n=round(seconds / 3600))
