// Runs the proofs at the full size that the documentation states, group by group, and prints what each of them counted. A group is a
// folder `test/proof/NAME` of any package.
//
//   npm run proof            all groups, one after the other
//   npm run proof -- lists   one or more groups by name

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const folders = globSync('packages/*/test/proof/*/', { cwd: ROOT });
const groups = [...new Set(folders.map((folder) => basename(folder)))].sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !groups.includes(name));
if (unknown.length > 0) {
  console.error(`There is no group ${unknown.join(', ')}. The groups are: ${groups.join(', ')}.`);
  process.exit(2);
}

const outcomes = (asked.length > 0 ? asked : groups).map((group) => {
  console.log(`\n=== Proof: ${group}`);
  const startedAt = Date.now();
  const args = ['run', '--project', 'proof', '--disable-console-intercept', `test/proof/${group}/`];
  const { status } = spawnSync('vitest', args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PROOF: 'full' } });
  return { group, isPassed: status === 0, minutes: (Date.now() - startedAt) / 60_000 };
});

console.log('\nGroup         Minutes  Outcome');
for (const { group, isPassed, minutes } of outcomes) {
  console.log(`${group.padEnd(12)}  ${minutes.toFixed(1).padStart(7)}  ${isPassed ? 'passed' : 'FAILED'}`);
}
if (outcomes.some(({ isPassed }) => !isPassed)) process.exitCode = 1;
