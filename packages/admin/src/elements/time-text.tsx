// Dates and times in the reader's time zone. The exact time is shown on hover.

import { SHELL_TEXTS } from '../texts/shell-texts.ts';

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const DATE_AND_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const DATE_AND_SECONDS = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const DAY_AND_SECONDS = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});
const WITH_OFFSET = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'shortOffset',
});
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

interface TimeTextProps {
  /** In the management API's format, with the UTC offset. */
  readonly value: string;
  readonly withTime?: boolean;
}

export function TimeText({ value, withTime = false }: TimeTextProps) {
  const moment = new Date(value);
  return (
    <time dateTime={value} title={EXACT.format(moment)}>
      {(withTime ? DATE_AND_TIME : DATE).format(moment)}
    </time>
  );
}

interface TimeRangeTextProps {
  readonly from: string;
  readonly to: string;
}

/** A time range. Parts that both ends share, such as the date, appear only once. */
export function TimeRangeText({ from, to }: TimeRangeTextProps) {
  const [start, end] = [new Date(from), new Date(to)];
  return <span title={EXACT.formatRange(start, end)}>{DATE_AND_TIME.formatRange(start, end)}</span>;
}

/** The time with seconds, for a log of things that happen in quick succession. The year is shown only if it is not the current one. */
export function SecondText({ value }: { readonly value: string }) {
  const moment = new Date(value);
  const isThisYear = moment.getFullYear() === new Date().getFullYear();
  return (
    <time dateTime={value} title={EXACT.format(moment)}>
      {(isThisYear ? DAY_AND_SECONDS : DATE_AND_SECONDS).format(moment)}
    </time>
  );
}

/** Plain text with the UTC offset, because an hour occurs twice when the clocks go back. */
export function formatExactMoment(value: string): string {
  return WITH_OFFSET.format(new Date(value));
}

/** The date and time as plain text. */
export function formatMoment(value: string): string {
  return DATE_AND_TIME.format(new Date(value));
}

/** The reader's time zone, such as `Europe/Paris`. */
export function readTimeZone(): string {
  return DATE.resolvedOptions().timeZone;
}

interface TimeOrNeverProps {
  readonly value: string | null;
  /** Whether to show only the day. */
  readonly isDay?: boolean;
}

/** A date and time, or `Never`. */
export function TimeOrNever({ value, isDay = false }: TimeOrNeverProps) {
  return value === null ? SHELL_TEXTS.never : <TimeText value={value} withTime={!isDay} />;
}
