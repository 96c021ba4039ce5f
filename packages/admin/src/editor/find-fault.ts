import type { Fault } from '../api/api-error.ts';

/** What is wrong with a part, as a sentence. */
export function findFault(faults: readonly Fault[], path: string): string | undefined {
  const fault = faults.find((each) => each.path === path);
  return fault && `${fault.message.charAt(0).toUpperCase()}${fault.message.slice(1)}.`;
}
