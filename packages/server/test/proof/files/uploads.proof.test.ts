// A large upload neither makes the process grow nor blocks its event loop.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startBucketServer } from '../../../src/files/bucket-server.fixture.ts';
import { sanitiseSvg } from '../../../src/files/sanitise-svg.ts';
import { openUploads, take } from '../../../src/uploads/uploads.fixture.ts';
import { reportProof } from '../../oracle/proof.ts';

const SOURCE = join(import.meta.dirname, '../../../src');
const SIZES_MB = { folder: 2048, bucket: 1024 } as const;
const MOST_GROWTH_MB = 50;

/** A process that receives a small file and then a large file, and prints how much its memory grew while it received the large one. */
function buildProgram(folder: string, location: object, megabytes: number): string {
  const load = (path: string) => JSON.stringify(join(SOURCE, path));
  return `
    import { openBucketStore } from ${load('files/bucket-store.ts')};
    import { openFolderStore } from ${load('files/folder-store.ts')};
    import { ImageProcesses } from ${load('images/image-processes.ts')};
    import { takeFile } from ${load('uploads/take-file.ts')};
    import { openUploadTools } from ${load('uploads/upload-tools.ts')};
    const location = ${JSON.stringify(location)};
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const store = location.kind === 'bucket' ? openBucketStore(location, { credentials }) : await openFolderStore(location);
    const images = new ImageProcesses({ processes: 1 });
    const tools = await openUploadTools({ store, images, folder: ${JSON.stringify(folder)} });
    const rules = { mostBytes: 4 * 2 ** 30, types: null, mostPixels: 1e8, keepsLocation: false };
    async function* film(megabytes) {
      yield Buffer.from('000000186674797069736f6d0000000069736f6d6d70343200000000', 'hex');
      // Creating new chunks would produce garbage that does not come from the uploads.
      const chunk = Buffer.alloc(64 * 1024, 'film');
      for (let count = 0; count < megabytes * 16; count += 1) yield chunk;
    }
    async function take(megabytes) {
      const taken = await takeFile(tools, film(megabytes), 'film.mp4', rules);
      if (!taken.ok) throw new Error(taken.problem.message);
      await taken.value[Symbol.asyncDispose]();
      return taken.value.bytes;
    }
    await take(1);
    const before = process.memoryUsage.rss();
    let most = before;
    const timer = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 10);
    const bytes = await take(${megabytes});
    clearInterval(timer);
    console.log(JSON.stringify({ bytes, growth: most - before }));
    await tools.close();
    await images.close();
    await store.close();`;
}

async function measureGrowth(folder: string, location: object, megabytes: number): Promise<number> {
  // The first run fills the compile cache, which the service has too. Otherwise each thread would load the TypeScript compiler.
  await runUpload(folder, location, 8);
  return runUpload(folder, location, megabytes);
}

async function runUpload(folder: string, location: object, megabytes: number): Promise<number> {
  const program = join(folder, 'program.mjs');
  await writeFile(program, buildProgram(folder, location, megabytes));
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { bytes, growth } = JSON.parse(await text(child.stdout));
  expect(bytes).toBe(megabytes * 2 ** 20 + 28);
  return growth / 2 ** 20;
}

test.each(['folder', 'bucket'] as const)(
  'a large upload to a %s increases memory usage by at most 50 MB',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-upload-memory-'));
    await using server = kind === 'bucket' ? await startBucketServer('films', '') : undefined;
    await mkdir(join(folder, 'temporary'));
    try {
      const location = server?.location ?? { kind: 'folder', path: join(folder, 'assets') };
      const growth = await measureGrowth(join(folder, 'temporary'), location, SIZES_MB[kind]);
      reportProof(`upload of ${SIZES_MB[kind]} MB to a ${kind}: memory grew by ${growth.toFixed(1)} MB`);
      expect(growth).toBeLessThan(MOST_GROWTH_MB);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('sanitising a large file does not block the event loop', async () => {
  await using uploads = await openUploads('folder');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${'<g><path d="M0 0h1v1z" onclick="alert(1)"/></g>'.repeat(150_000)}</svg>`;
  const bytes = Buffer.from(svg);
  // This starts the thread and loads the code before the measurement.
  await using _first = await take(uploads, Buffer.from('<svg/>'), 'a.svg');
  const start = performance.now();
  expect(sanitiseSvg(svg).ok).toBe(true);
  const ownMs = performance.now() - start;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await using file = await take(uploads, bytes, 'large.svg');
  delay.disable();
  reportProof(
    `SVG of ${bytes.length} bytes: ${ownMs.toFixed()} ms of work, longest delay ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  expect(file.type).toBe('image/svg+xml');
  // Other programs may delay this process too, so the limit is relative to the work.
  expect(delay.max / 1e6).toBeLessThan(ownMs / 3);
});

test('searching a large photo for its location does not block the event loop', async () => {
  await using uploads = await openUploads('folder');
  const { default: sharp } = await import('sharp');
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const photo = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#fff', noise } })
    .withExif({ IFD3: { GPSDateStamp: '2026:01:02' } })
    .jpeg({ quality: 100 })
    .toBuffer();
  // Cameras append further pictures to a file.
  const bytes = Buffer.concat(Array.from({ length: 10 }, () => photo));
  const rules = { mostBytes: bytes.length };
  await using _first = await take(uploads, photo, 'a.jpg', rules);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await using file = await take(uploads, bytes, 'large.jpg', rules);
  delay.disable();
  reportProof(`photo of ${bytes.length} bytes: longest delay ${(delay.max / 1e6).toFixed(1)} ms`);
  expect(file).toMatchObject({ bytes: bytes.length, width: 3000 });
  expect(delay.percentile(99) / 1e6).toBeLessThan(20);
});
