import { buildFault, type Fault } from '../../content/fault.ts';

/** Front ends and saved content name types and fields by what must not change. Saying what is there already does no harm. */
export function findFixedFaults(
  given: Readonly<Record<string, unknown>>,
  fixed: Readonly<Record<string, string>>,
): readonly Fault[] {
  return Object.entries(fixed).flatMap(([member, value]) => {
    const wanted = Object.hasOwn(given, member) ? given[member] : undefined;
    if (wanted === undefined || wanted === value) return [];
    return [buildFault(member, `is fixed after the first save and must stay ${value}`, wanted)];
  });
}
