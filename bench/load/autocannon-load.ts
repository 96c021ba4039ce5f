// Generates load with autocannon, for machines without wrk. Autocannon is a Node program and slower than the bare server, so the ratios
// look better than they are; the CPU time per request is not affected.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import { DisturbedLoad, type Load, type LoadFigures, type LoadTarget } from './load.ts';

export function createAutocannonLoad(connections: number): Load {
  let loads = 0;

  async function run({ origin, paths, isNumbered, headers }: LoadTarget, seconds: number): Promise<LoadFigures> {
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
            return { ...request, path: isNumbered ? `${path}${loads}-${count}` : path };
          },
        },
      ],
    });
    // The service sends no 3xx status other than 304.
    const requests = result['2xx'] + result['3xx'];
    const wrong = result['4xx'] + result['5xx'];
    if (wrong > 0) throw new Error(`autocannon received ${wrong} error responses`);
    if (result.errors > 0 || requests === 0) {
      throw new DisturbedLoad(`autocannon reported ${result.errors} errors in ${requests} requests`);
    }
    return { requests, seconds: result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
  }

  return { tool: `autocannon ${readVersion()}`, run };
}

function readVersion(): string {
  const path = createRequire(import.meta.url).resolve('autocannon/package.json');
  return /"version":\s*"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'unknown';
}
