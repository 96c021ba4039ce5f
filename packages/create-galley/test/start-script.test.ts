// Tests the start.js of a project with a front end. Small programs stand in for Galley and Astro; test/browser runs the real ones.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startProgram } from '../../../scripts/testing/running-program.ts';
import { createProject } from '../src/create-project.ts';

/** Exits after receiving as many signals as SIGNALS says. */
const GALLEY = `
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      console.log('Galley got ' + signal);
      signals += 1;
      if (signals === Number(process.env.SIGNALS)) process.exit();
    });
  }
  setInterval(() => {}, 60_000);
  console.log('{ this is not JSON');
  console.log('null');
  console.log(JSON.stringify({ msg: 'listening', address: 'http://127.0.0.1:1' }));
`;
const ASTRO = `
  setInterval(() => {}, 60_000);
  console.log('Astro is ready');
`;

let folder: string;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'start-')), 'site');
  await createProject({ folder, template: 'astro', packages: undefined, nodeVersion: '24.0.0' });
  // If the variables point to another service, the front end does not need a local Galley.
  await writeFile(join(folder, 'web/.env.local'), 'GALLEY_API_URL=https://content.example.com/api/v1\n');
  await writeProgram('@galley/server', 'galley', GALLEY);
  await writeProgram('astro', 'astro', ASTRO);
});

async function writeProgram(packageName: string, programName: string, source: string): Promise<void> {
  const place = join(folder, 'node_modules', packageName);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify({ bin: { [programName]: 'program.js' } }));
  await writeFile(join(place, 'program.js'), source);
}

test('forwards a SIGINT that only the script received, and every later signal', async () => {
  await using both = startProgram([process.execPath, 'start.js'], { cwd: folder, env: { SIGNALS: '2' } });
  await both.waitFor(/Astro is ready/);
  const end = both.stopAlone('SIGINT');
  await both.waitFor(/Galley got SIGINT/);
  await both.stopAlone('SIGTERM');
  const { status, stdout, stderr } = await end;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/Galley got \w+/g)).toEqual(['Galley got SIGINT', 'Galley got SIGTERM']);
  expect(stdout).toContain('{ this is not JSON\nnull\n');
  expect(stdout).toContain('\n  Galley: http://127.0.0.1:1, admin panel: http://127.0.0.1:1/admin\n');
});

/** Runs a script as npm does: in a shell that waits for it. */
const NPM = `
  const script = 'node start.js';
  const env = { ...process.env, npm_lifecycle_event: 'start', npm_lifecycle_script: script };
  require('node:child_process').spawn('sh', ['-c', script + '; exit'], { env, stdio: 'inherit' });
`;

test.each(['SIGKILL', 'SIGHUP'] as const)(
  'stops when %s kills npm, even though npm notifies no other process',
  async (signal) => {
    await using both = startProgram([process.execPath, '-e', NPM], { cwd: folder, env: { SIGNALS: '1' } });
    await both.waitFor(/Astro is ready/);
    const { stdout, stderr } = await both.stopAlone(signal);
    expect({ stdout: stdout.match(/Galley got \w+/g), stderr }).toEqual({ stdout: ['Galley got SIGTERM'], stderr: '' });
  },
);
