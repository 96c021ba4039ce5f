import { expect, test } from 'vitest';
import { parseUsage } from './process-usage.ts';

const STAT = '42 (node (a b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 7 8 20 0 11 0 1000 1 2';
const STATUS = 'Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\nRssAnon:\t   51200 kB\n';

test('reads the CPU time of a process regardless of its name, and its memory in megabytes', () => {
  expect(parseUsage(STAT, STATUS, 100)).toEqual({
    cpuSeconds: 3,
    residentMb: 100,
    peakResidentMb: 200,
    anonymousMb: 50,
  });
});
