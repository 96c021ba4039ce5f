// Prints the installed size of the packed server, and the time from launch to its first response.

import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './packing/pack-package.ts';
import { runWithSuccess, startProgram } from './testing/running-program.ts';

const STARTS = 9;
const INSTALL = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'];

const folder = await mkdtemp(join(tmpdir(), 'galley-measure-'));
try {
  const tarball = await packPackage('server', folder);
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true }\n');
  await runWithSuccess([...INSTALL, tarball], { cwd: project });
  console.log(`tarball: ${megabytes((await stat(tarball)).size)}`);
  console.log(`installed: ${megabytes(await sumSizes(join(project, 'node_modules')))}`);
  console.log(`first start, which creates the demo: ${await measureStarts(project, true)} ms to the first response`);
  console.log(`later starts: ${await measureStarts(project, false)} ms to the first response`);
} finally {
  await rm(folder, { recursive: true });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function sumSizes(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The shortest of several startup times, because other programs can only add time. Node.js runs the program directly, without npx. */
async function measureStarts(cwd: string, isFirst: boolean): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < STARTS; run += 1) {
    if (isFirst) await rm(join(cwd, 'data'), { recursive: true, force: true });
    const start = performance.now();
    const words = [process.execPath, 'node_modules/@galley/server/bin/galley.js', 'serve', '--port', '0'];
    await using service = startProgram(words, { cwd });
    const [, url] = await service.waitFor(/"address":"(http[^"]+)","msg":"listening"/);
    await fetch(`${url}/readyz`);
    times.push(performance.now() - start);
    await service.stop();
  }
  return Math.round(Math.min(...times));
}
