import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ImageOutcome, ImageProcesses, type ImageProcessesOptions } from './image-processes.ts';
import { drawPicture, drawQuarters, expectSource, planQuery } from './pictures.fixture.ts';
import type { ImagePlan } from './plan-image.ts';

const PROGRAM = join(import.meta.dirname, 'image-processes.fixture.ts');

let processes: ImageProcesses;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
});

afterEach(async () => {
  vi.useRealTimers();
  await processes.close();
  await rm(folder, { recursive: true });
});

function openFixture(options: ImageProcessesOptions = {}): ImageProcesses {
  processes = new ImageProcesses({ processes: 1, program: PROGRAM, ...options });
  return processes;
}

function ask(picture: string): Promise<ImageOutcome> {
  return processes.do({ kind: 'read', picture });
}

/** The id of the process that answered. */
function pidOf(outcome: ImageOutcome): number {
  return outcome.kind === 'unreadable' ? Number(outcome.detail.split(' ').at(-1)) : Number.NaN;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a Node process that opens image processes, does one job, and then runs the code. */
function startService(code: string) {
  const module = JSON.stringify(join(import.meta.dirname, 'image-processes.ts'));
  const program = `import { ImageProcesses } from ${module};
    const processes = new ImageProcesses({ processes: 1, program: ${JSON.stringify(PROGRAM)} });
    await processes.do({ kind: 'read', picture: 'a' });
    ${code}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program]);
}

describe('image processes', () => {
  test('are reused', async () => {
    openFixture();
    const first = await ask('a');
    expect(first).toEqual({ kind: 'unreadable', detail: expect.stringMatching(/^a by \d+$/) });
    expect(pidOf(await ask('b'))).toBe(pidOf(first));
  });

  test('start only as needed, up to the limit', async () => {
    openFixture({ processes: 2 });
    expect(processes.listProcesses()).toHaveLength(0);
    await ask('a');
    expect(processes.listProcesses()).toHaveLength(1);
    const pids = (await Promise.all([ask('a'), ask('b'), ask('c'), ask('d')])).map(pidOf);
    expect(new Set(pids).size).toBe(2);
    expect(processes.listProcesses()).toHaveLength(2);
  });

  test('are replaced if they crash, and only the picture that they were working on fails', async () => {
    openFixture();
    const [before, lost, after] = await Promise.all([ask('a'), ask('end'), ask('b')]);
    expect(lost).toEqual({ kind: 'crashed' });
    expect(after).toMatchObject({ kind: 'unreadable' });
    expect(pidOf(after)).not.toBe(pidOf(before));
  });

  test('are killed and replaced if they take too long, and report how long they were busy', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    openFixture({ limitMs: 20_000 });
    const times: number[] = [];
    const terms = { mayStart: () => true, noteTime: (ms: number) => void times.push(ms) };
    const pid = pidOf(await processes.do({ kind: 'read', picture: 'a' }, terms));
    const jobs = [processes.do({ kind: 'read', picture: 'run for ever' }, terms), ask('b')];
    await turn();
    vi.advanceTimersByTime(19_999);
    expect(isRunning(pid)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await Promise.all(jobs)).toMatchObject([{ kind: 'late' }, { kind: 'unreadable' }]);
    expect(times).toEqual([0, 20_000]);
    vi.useRealTimers();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('refuse pictures if too many are waiting, and recover', async () => {
    openFixture({ mostWaiting: 2 });
    const pid = pidOf(await ask('a'));
    const accepted = [ask('wait'), ask('b'), ask('c')];
    const refused = await Promise.all(Array.from({ length: 100 }, () => ask('d')));
    expect(refused).toEqual(Array(100).fill({ kind: 'overloaded' }));
    process.kill(pid, 'SIGKILL');
    expect(await Promise.all(accepted)).toMatchObject([
      { kind: 'crashed' },
      { kind: 'unreadable' },
      { kind: 'unreadable' },
    ]);
    expect(await ask('e')).toMatchObject({ kind: 'unreadable' });
  });

  test('do not start a job whose permission was withdrawn while it was waiting', async () => {
    openFixture();
    let mayStart = true;
    const terms = { mayStart: () => mayStart, noteTime: () => (mayStart = false) };
    const jobs = ['a', 'b', 'c'].map((picture) => processes.do({ kind: 'read', picture }, terms));
    const outcomes = await Promise.all([...jobs, ask('d')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unreadable', 'refused', 'refused', 'unreadable']);
  });

  test('reserve a process for a job while the job waits for permission', async () => {
    openFixture({ mostWaiting: 1 });
    const { promise: permission, resolve: decide } = Promise.withResolvers<boolean>();
    const terms = { mayStart: () => permission, noteTime: () => {} };
    const asked = processes.do({ kind: 'read', picture: 'a' }, terms);
    const waiting = ask('b');
    expect(await ask('c')).toEqual({ kind: 'overloaded' });
    expect(processes.listProcesses()).toHaveLength(0);
    decide(false);
    expect(await asked).toEqual({ kind: 'refused' });
    expect(await waiting).toMatchObject({ kind: 'unreadable' });
  });

  test('do not start a job that gets its permission after the service has closed', async () => {
    openFixture();
    const { promise: permission, resolve: decide } = Promise.withResolvers<boolean>();
    const asked = processes.do({ kind: 'read', picture: 'a' }, { mayStart: () => permission, noteTime: () => {} });
    await processes.close();
    decide(true);
    expect(await asked).toEqual({ kind: 'closed' });
    expect(processes.listProcesses()).toHaveLength(0);
  });

  test('take uploads before other pictures, and limit the two queues separately', async () => {
    const program = join(folder, 'order.mjs');
    await writeFile(
      program,
      `let count = 0;
      process.on('message', ({ no, job }) => {
        count += 1;
        if (job.picture !== 'wait') process.send({ no, answer: { kind: 'unreadable', detail: String(count) } });
      });`,
    );
    openFixture({ program, mostWaiting: 2 });
    const upload = (picture: string) => processes.do({ kind: 'inspect', picture, mostPixels: 1 });
    await ask('a');
    const held = ask('wait');
    const others = [ask('b'), ask('c')];
    const uploads = [upload('d'), upload('e')];
    expect(await Promise.all([ask('f'), upload('g')])).toEqual([{ kind: 'overloaded' }, { kind: 'overloaded' }]);
    process.kill(processes.listProcesses()[0] ?? Number.NaN, 'SIGKILL');
    expect(await held).toEqual({ kind: 'crashed' });
    const answers = await Promise.all([...uploads, ...others]);
    expect(answers.map((answer) => ('detail' in answer ? answer.detail : answer.kind))).toEqual(['1', '2', '3', '4']);
  });

  test('end when they are idle', async () => {
    openFixture({ idleMs: 1 });
    const pid = pidOf(await ask('a'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(processes.listProcesses()).toHaveLength(0);
    expect(pidOf(await ask('b'))).not.toBe(pid);
  });

  test('end when the service closes, and waiting pictures are not rendered', async () => {
    openFixture({ idleMs: 60_000 });
    const pid = pidOf(await ask('a'));
    const waiting = [ask('run for ever'), ask('b')];
    await processes.close();
    expect(await Promise.all(waiting)).toEqual([{ kind: 'closed' }, { kind: 'closed' }]);
    expect(isRunning(pid)).toBe(false);
    expect(await ask('c')).toEqual({ kind: 'closed' });
  });

  test('report a crash if they exit before they receive a picture', async () => {
    const program = join(folder, 'end.mjs');
    await writeFile(program, 'process.exit(1);');
    openFixture({ program });
    expect(await ask('a')).toEqual({ kind: 'crashed' });
  });

  test('have ended once the service is closed, even if nothing else keeps Node running', async () => {
    openFixture();
    const service = startService('await processes.close(); console.log("closed");');
    const [code] = await once(service, 'exit');
    expect(code).toBe(0);
  });

  test('get no secrets from the environment', async () => {
    const program = join(folder, 'environment.mjs');
    await writeFile(
      program,
      `process.on('message', ({ no }) => process.send({ no, answer: { kind: 'failed', detail: JSON.stringify(process.env) } }));`,
    );
    openFixture({ program });
    process.env.GALLEY_TEST_SECRET = 'secret';
    try {
      expect(await ask('a')).toEqual({ kind: 'failed', detail: expect.not.stringContaining('secret') });
    } finally {
      delete process.env.GALLEY_TEST_SECRET;
    }
  });
});

describe('the script that image processes run', () => {
  async function write(name: string, bytes: Buffer): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  async function expectPlan(query: string, bytes: Buffer): Promise<ImagePlan> {
    const plan = planQuery(query, await expectSource(bytes));
    if (typeof plan === 'string') throw new Error(plan);
    return plan;
  }

  test('reads and renders files, and survives those it cannot read', async () => {
    processes = new ImageProcesses({ processes: 1 });
    const bytes = await drawQuarters(200, 100);
    const picture = await write('a.png', bytes);
    const read = await processes.do({ kind: 'read', picture });
    expect(read).toMatchObject({ kind: 'read', source: { format: 'png', width: 200, height: 100 } });
    const [pid] = processes.listProcesses();
    const plan = await expectPlan('w=50', bytes);
    const output = join(folder, 'out.part');
    const rendered = await processes.do({ kind: 'render', plan, picture, mark: null, output });
    const result = await readFile(output);
    expect(rendered).toEqual({ kind: 'rendered', bytes: result.length });
    expect(await sharp(result).metadata()).toMatchObject({ width: 50, height: 25 });

    const half = await write('half.png', bytes.subarray(0, bytes.length / 2));
    expect(await processes.do({ kind: 'render', plan, picture: half, mark: null, output })).toMatchObject({
      kind: 'unreadable',
    });
    const svg = await write('b.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'));
    expect(await processes.do({ kind: 'render', plan, picture: svg, mark: null, output })).toMatchObject({
      kind: 'unreadable',
    });
    expect(await processes.do({ kind: 'read', picture: svg })).toMatchObject({ kind: 'unreadable' });
    expect(await processes.do({ kind: 'read', picture: join(folder, 'missing.png') })).toMatchObject({
      kind: 'failed',
    });
    const nowhere = join(folder, 'no', 'folder');
    expect(await processes.do({ kind: 'render', plan, picture, mark: null, output: nowhere })).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('ENOENT'),
    });
    expect(processes.listProcesses()).toEqual([pid]);
  });

  test('inspects pictures for uploads', async () => {
    processes = new ImageProcesses({ processes: 1 });
    const picture = await write('a.png', await drawQuarters(200, 100));
    expect(await processes.do({ kind: 'inspect', picture, mostPixels: 20_000 })).toMatchObject({
      kind: 'inspected',
      picture: { width: 200, height: 100, placeholder: expect.any(String) },
    });
    expect(await processes.do({ kind: 'inspect', picture, mostPixels: 19_999 })).toEqual({
      kind: 'too_many_pixels',
      pixels: 20_000,
    });
    const text = await write('b.png', Buffer.from('A text'));
    expect(await processes.do({ kind: 'inspect', picture: text, mostPixels: 1 })).toMatchObject({ kind: 'unreadable' });
    const missing = join(folder, 'missing.png');
    expect(await processes.do({ kind: 'inspect', picture: missing, mostPixels: 1 })).toMatchObject({ kind: 'failed' });
  });

  test('can be killed while it renders, and the next picture is still rendered', async () => {
    processes = new ImageProcesses({ processes: 1 });
    const bytes = await drawPicture(400, 300, (x, y) => [x % 256, y % 256, 0])
      .removeAlpha()
      .jpeg()
      .toBuffer();
    const picture = await write('a.jpg', bytes);
    const output = join(folder, 'out.part');
    await processes.do({ kind: 'read', picture });
    // AVIF pictures of this size take seconds.
    const slow = processes.do({
      kind: 'render',
      plan: await expectPlan('w=7000&fm=avif&q=90', bytes),
      picture,
      mark: null,
      output,
    });
    const next = processes.do({ kind: 'render', plan: await expectPlan('w=40', bytes), picture, mark: null, output });
    const [pid = Number.NaN] = processes.listProcesses();
    process.kill(pid, 'SIGKILL');
    expect(await slow).toEqual({ kind: 'crashed' });
    expect(await next).toMatchObject({ kind: 'rendered' });
    expect(await sharp(await readFile(output)).metadata()).toMatchObject({ width: 40, height: 30 });
  });

  test('ends when the service is killed', async () => {
    processes = new ImageProcesses();
    const service = startService('console.log(processes.listProcesses()[0]); setInterval(() => {}, 1000);');
    const [line] = await once(service.stdout, 'data');
    const pid = Number(String(line));
    expect(isRunning(pid)).toBe(true);
    service.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
