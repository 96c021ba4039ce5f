import type { Fault } from '../api/api-error.ts';
import { FAULT_TEXTS } from '../texts/fault-texts.ts';

/**
 * What is wrong with an input, as a sentence.
 * @param label what the input is called; left out where the sentence is shown right below it
 */
export function sayFault({ path, message, code = 'invalid', values = {} }: Fault, label?: string): string {
  const member = /\w+$/.exec(path)?.[0] ?? 'value';
  // After an update of the service, an open panel may not know a new code.
  const say = FAULT_TEXTS[code] ?? FAULT_TEXTS.invalid;
  return say({ label, member, message, values });
}
