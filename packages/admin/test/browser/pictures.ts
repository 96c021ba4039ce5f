// Small pictures for tests, and functions that drop or paste files into a page.

import { crc32, deflateSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

type Colour = readonly [red: number, green: number, blue: number];

interface Colours {
  readonly left: Colour;
  readonly right: Colour;
}

const WIDTH = 160;
const HEIGHT = 90;

/** A PNG of 160 × 90 pixels whose left and right halves differ. */
export function drawPicture(name: string, { left, right }: Colours): TestFile {
  return drawCells(name, [[left, right]]);
}

/** A PNG of 160 × 90 pixels with rows of equally sized cells. */
export function drawCells(name: string, cells: readonly (readonly Colour[])[]): TestFile {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8);
  const rows = Buffer.concat(
    cells.flatMap((row) => Array.from({ length: HEIGHT / cells.length }, () => drawLine(row))),
  );
  const buffer = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    writeChunk('IHDR', header),
    writeChunk('IDAT', deflateSync(rows)),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
  return { name: `${name}.png`, mimeType: 'image/png', buffer };
}

/** A row of pixels, preceded by the byte for “no filter”. */
function drawLine(colours: readonly Colour[]): Buffer {
  const pixels = colours.flatMap((colour) => Array.from({ length: WIDTH / colours.length }, () => colour));
  return Buffer.from([0, ...pixels.flat()]);
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Pictures that are all different. */
export function drawPictures(count: number, name = 'Picture'): readonly TestFile[] {
  return Array.from({ length: count }, (_, index) =>
    drawPicture(`${name} ${index + 1}`, {
      left: [(index * 37) % 256, 120, 200],
      right: [200, (index * 53) % 256, name.length],
    }),
  );
}

/** Drags files over an element and drops them there. */
export async function dropFiles(page: Page, target: Locator, files: readonly TestFile[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(writeTransfer(files));
  const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
  const event = { dataTransfer, clientX: x + width / 2, clientY: y + height / 2 };
  for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, event);
}

/** Pastes files where the focus is, as a browser does after a screenshot. */
export async function pasteFiles(page: Page, files: readonly TestFile[]): Promise<void> {
  await page.evaluate(`(document.activeElement ?? document.body).dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: ${writeTransfer(files)}, bubbles: true, cancelable: true }),
  )`);
}

/** An expression to evaluate on the page. */
function writeTransfer(files: readonly TestFile[]): string {
  const parts = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, text: buffer.toString('base64') }));
  return `((parts) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, text } of parts) {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  })(${JSON.stringify(parts)})`;
}
