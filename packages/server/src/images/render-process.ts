// The script that an image process runs. It does one job at a time, and ends when the service does.

import { open } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import type {
  FromImageProcess,
  ImageAnswer,
  ImageJob,
  InspectJob,
  RenderJob,
  ToImageProcess,
} from './image-processes.ts';
import { inspectPicture } from './inspect-picture.ts';
import { readImageSource } from './read-image-source.ts';
import { renderImage } from './render-image.ts';

const READABLE = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];

// Files that look like a picture to us, but like a document or a script to libvips, are not opened.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READABLE.map((format) => `VipsForeignLoad${format}File`) });
// Files are rarely read twice in a row, so a cache would only take up memory.
sharp.cache(false);
// Content requests have priority.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Some sandboxes forbid this. Pictures can still be rendered.
}

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  if (isTask(message)) void answer(message);
});

/** Only the service sends messages. */
function isTask(message: unknown): message is ToImageProcess {
  return typeof message === 'object' && message !== null && 'job' in message;
}

async function answer({ no, job }: ToImageProcess): Promise<void> {
  const message: FromImageProcess = { no, answer: await run(job).catch(describeFailure) };
  process.send?.(message);
}

async function run(job: ImageJob): Promise<ImageAnswer> {
  if (job.kind === 'render') return render(job);
  if (job.kind === 'inspect') return inspect(job);
  const source = await readImageSource(job.picture);
  return source.ok ? { kind: 'read', source: source.value } : { kind: 'unreadable', detail: source.problem.detail };
}

async function render({ plan, picture, mark, output }: RenderJob): Promise<ImageAnswer> {
  const rendered = await renderImage(plan, { picture, mark });
  if (!rendered.ok) return { kind: 'unreadable', detail: rendered.problem.detail };
  const file = await open(output, 'w');
  try {
    await file.writeFile(rendered.value);
    // The service renames the file afterwards. If it were not synced first, a power failure could leave an empty file under the final name.
    await file.datasync();
  } finally {
    await file.close();
  }
  return { kind: 'rendered', bytes: rendered.value.length };
}

async function inspect({ picture, mostPixels }: InspectJob): Promise<ImageAnswer> {
  const inspected = await inspectPicture(picture, mostPixels);
  if (inspected.ok) return { kind: 'inspected', picture: inspected.value };
  const { problem } = inspected;
  if (problem.code === 'unreadable') return { kind: 'unreadable', detail: problem.detail };
  return { kind: 'too_many_pixels', pixels: problem.pixels };
}

function describeFailure(error: unknown): ImageAnswer {
  return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
