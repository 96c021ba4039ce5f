// For tests: forms with files, and pictures to put into them.

import sharp from 'sharp';

type Fields = Readonly<Record<string, string | readonly string[]>>;
export type Upload = readonly [bytes: Uint8Array | string, name: string];

export function buildForm(fields: Fields, ...files: readonly Upload[]): FormData {
  const built = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) built.append(name, value);
  for (const [bytes, name] of files) built.append('file', new Blob([Buffer.from(bytes)]), name);
  return built;
}

let shade = 0;

/** Each picture has different bytes. */
export function drawNew(width = 30, height = 20): Promise<Buffer> {
  shade += 1;
  const background = { r: shade % 256, g: shade >> 8, b: 99 };
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** The header of a file part in a form that a test writes by hand. */
export const FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="x.txt"';
