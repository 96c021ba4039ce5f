// Measures startup: the time from launching the process to the end of its first response.

import { LIST } from '../cases.ts';
import { startGalley } from '../galley-process.ts';
import type { Site } from '../open-site.ts';
import { readUsage } from '../process-usage.ts';
import { recordAnswer } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';

export interface Start {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
}

export async function measureStarts(
  scratch: Scratch,
  { databaseUrl, reader }: Site,
  count: number,
): Promise<readonly Start[]> {
  const starts: Start[] = [];
  while (starts.length < count) {
    const startedAt = performance.now();
    const galley = await startGalley(scratch, databaseUrl);
    await recordAnswer({ ...reader, origin: galley.origin }, LIST);
    const seconds = (performance.now() - startedAt) / 1000;
    starts.push({ seconds, cpuSeconds: readUsage(galley.pid)?.cpuSeconds });
    await galley.stop();
  }
  return starts;
}
