import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TimeText } from './time-text.tsx';

/** A moment that may not have come, or may never come. */
export function TimeOrNever({ value }: { readonly value: string | null }) {
  return value === null ? SHELL_TEXTS.never : <TimeText value={value} withTime />;
}
