// Measures what the quick tests catch. It breaks the server in random places, one at a time, runs the unit and integration tests on each,
// and lists the places whose damage no test noticed.
//
//   node scripts/break-code.ts [--seed N] [--count N] [--skip N,N] [--checkout FOLDER] [--green-seconds N]
//
// The same seed breaks the same places of the same sources, so two sets of tests can be compared. `--skip` leaves out places by number,
// for changes that make no difference. A run that takes three times as long as the green one counts as caught.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawMutants, type Mutant } from './mutants/draw-mutants.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    skip: { type: 'string', default: '' },
    checkout: { type: 'string', default: '.' },
    'green-seconds': { type: 'string', default: '120' },
  },
});
const checkout = resolve(values.checkout);
const skipped = values.skip.split(',').filter(Boolean).map(Number);
const limitMs = Number(values['green-seconds']) * 3000;

const drawn = drawMutants(checkout, Number(values.seed), Number(values.count) + skipped.length);
const mutants = drawn.filter(({ no }) => !skipped.includes(no));
let caught = 0;
for (const mutant of mutants) {
  const outcome = await tryMutant(mutant);
  if (outcome !== 'SURVIVED') caught += 1;
  console.log(
    `${String(mutant.no).padStart(3)}  ${outcome.padEnd(9)}  ${mutant.path}:${mutant.line}  ${mutant.change}`,
  );
}
console.log(`${caught} of ${mutants.length} caught`);

type Outcome = 'caught' | 'timed out' | 'SURVIVED';

async function tryMutant({ path, broken }: Mutant): Promise<Outcome> {
  const file = join(checkout, path);
  const whole = readFileSync(file, 'utf8');
  const restore = (): void => writeFileSync(file, whole);
  process.once('exit', restore);
  writeFileSync(file, broken);
  try {
    // Most of the damage is caught by the unit tests that import the file, which take seconds.
    const nearby = await runTests(['related', file, '--project', 'unit']);
    return nearby === 'SURVIVED' ? await runTests(['--project', 'unit', '--project', 'integration']) : nearby;
  } finally {
    restore();
    process.off('exit', restore);
  }
}

async function runTests(args: readonly string[]): Promise<Outcome> {
  const words = ['vitest', ...(args[0] === 'related' ? args : ['run', ...args])];
  const child = spawn('npx', [...words, '--run', '--bail=1', '--passWithNoTests', '--reporter=dot'], {
    cwd: checkout,
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  if (isLate) return 'timed out';
  return status === 0 ? 'SURVIVED' : 'caught';
}
