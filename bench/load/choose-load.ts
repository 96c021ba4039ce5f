// Chooses the load generator: wrk if it is installed, otherwise autocannon from npm.

import type { Scratch } from '../scratch.ts';
import { createAutocannonLoad } from './autocannon-load.ts';
import type { Load } from './load.ts';
import { createWrkLoad, findWrkVersion } from './wrk-load.ts';

export function chooseLoad(scratch: Scratch, connections: number, wanted: 'wrk' | 'autocannon' | undefined): Load {
  const wrkVersion = wanted === 'autocannon' ? undefined : findWrkVersion();
  if (wrkVersion !== undefined) return createWrkLoad(scratch, connections, wrkVersion);
  if (wanted === 'wrk') throw new Error('wrk is not installed.');
  return createAutocannonLoad(connections);
}
