// A moment in the reader's own time zone; the exact moment stands in the element, for whoever hovers over it.

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const DATE_AND_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
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
  /** As the management API writes it, with its offset. */
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

/** From one moment to another, without saying twice what both have in common. */
export function TimeRangeText({ from, to }: TimeRangeTextProps) {
  const [start, end] = [new Date(from), new Date(to)];
  return <span title={EXACT.formatRange(start, end)}>{DATE_AND_TIME.formatRange(start, end)}</span>;
}

/** The same as plain text, with its offset: clocks that are put back show an hour twice. */
export function formatExactMoment(value: string): string {
  return WITH_OFFSET.format(new Date(value));
}

/** The same as plain text, with its time. */
export function formatMoment(value: string): string {
  return DATE_AND_TIME.format(new Date(value));
}

/** The reader's zone, as `Europe/Paris`. */
export function readTimeZone(): string {
  return DATE.resolvedOptions().timeZone;
}
