// The share of a core that the servers could use during the measurement. It distinguishes a slow service from a busy machine.

import type { MeasuredGroup } from '../measure-group.ts';
import { median } from './median.ts';

/** A server that got a smaller share of a core than this was slowed down by other programs. */
const LEAST_CORE_SHARE = 0.85;

export function findCoreShare(groups: readonly MeasuredGroup[]): number | undefined {
  const shares = groups.flatMap(({ yardstick, cases }) =>
    [...yardstick, ...cases.flatMap((each) => each.samples)].flatMap((sample) => sample.coreShare ?? []),
  );
  return shares.length === 0 ? undefined : median(shares);
}

export function describeNoise(coreShare: number | undefined): string {
  if (coreShare === undefined) return 'CPU time cannot be read on this system, so noise cannot be detected.\n';
  const share = `The servers got ${(coreShare * 100).toFixed(0)}% of a core during the measurement.`;
  if (coreShare >= LEAST_CORE_SHARE) return `${share}\n`;
  return `${share} The machine was busy with something else:\nuse the CPU ratios (--verbose), or run again when the machine is idle.\n`;
}
