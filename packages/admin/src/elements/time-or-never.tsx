import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TimeText } from './time-text.tsx';

interface TimeOrNeverProps {
  readonly value: string | null;
  /** Where the day is enough. */
  readonly isDay?: boolean;
}

/** A moment that may not have come, or may never come. */
export function TimeOrNever({ value, isDay = false }: TimeOrNeverProps) {
  return value === null ? SHELL_TEXTS.never : <TimeText value={value} withTime={!isDay} />;
}
