// Load with autocannon, for machines without wrk. It is a Node program itself and slower than the yardstick, so the
// ratios come out too good; the CPU time per request does not.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import type { Load, LoadFigures, LoadTarget } from './load.ts';

export function createAutocannonLoad(connections: number): Load {
  let loads = 0;

  async function run({ origin, paths, headers }: LoadTarget, seconds: number): Promise<LoadFigures> {
    loads += 1;
    let count = 0;
    const result = await autocannon({
      url: origin,
      connections,
      duration: seconds,
      headers,
      requests: [
        {
          setupRequest: (request) => {
            const path = paths[count % paths.length] ?? '';
            count += 1;
            return { ...request, path: `${path}${loads}-${count}` };
          },
        },
      ],
    });
    const errors = result.errors + result.non2xx;
    const requests = result['2xx'];
    if (errors > 0 || requests === 0) throw new Error(`autocannon met ${errors} errors in ${requests} requests`);
    return { requests, seconds: result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
  }

  return { tool: `autocannon ${readVersion()}`, run };
}

function readVersion(): string {
  const path = createRequire(import.meta.url).resolve('autocannon/package.json');
  return /"version":\s*"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'unknown';
}
