// Reads the lines of a plain or gzipped bundle file in constant memory: only one line and one chunk at a time. An unreadable line is
// reported, and reading continues. If reading cannot continue, a fault gives the line where it stopped. Line 0 stands for the whole file.

import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface BundleLine {
  readonly number: number;
  /** For an unreadable line, this is the readable part of its beginning. */
  readonly text: string;
  /** The reason why the line cannot be read. */
  readonly problem?: string;
  /** The number of bytes read from the file on disk so far. */
  readonly bytesRead: number;
}

/** An error after which the rest of a file is unreadable. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** How many bytes of an unreadable line are shown. */
const SHOWN_BYTES = 4096;

const CHUNK_BYTES = 256 * 1024;
const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex');
const GZIP_MAGIC = Buffer.from('1f8b', 'hex');

/**
 * Gzip typically shrinks records to a tenth of their size, and at best to a hundredth. The format's limit is about a thousandth. The first
 * bytes are not checked.
 */
const MOST_TIMES_PACKED = 300;
const UNJUDGED_BYTES = 128 * 1024 * 1024;

/**
 * Skips blank lines, but counts them. Yields lines in batches, because a promise for each line would cost as much as reading it.
 * Lines before a fault are yielded first. Refuses a gzip file that unpacks to far more data than a file of records would.
 */
export async function* readBundleLines(path: string): AsyncGenerator<readonly BundleLine[], void, undefined> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let number = 1;
  let lines: BundleLine[] = [];
  /** The parts of the current line from earlier chunks. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const addPart = (part: Buffer): void => {
    begunBytes += part.length;
    // If a line is too long, the rest of it is not kept.
    if (begunBytes <= MAX_LINE_BYTES) begun.push(part);
    else begun = [Buffer.from(Buffer.concat(begun.slice(0, 1)).subarray(0, SHOWN_BYTES))];
  };
  const endLine = (): void => {
    const line = begunBytes > MAX_LINE_BYTES ? describeLongLine(begun) : decodeLine(begun, number);
    if (line.problem !== undefined || !BLANK.test(line.text)) {
      lines.push({ number, ...line, bytesRead: file.bytesRead });
    }
    number += 1;
    begun = [];
    begunBytes = 0;
  };
  try {
    let unpackedBytes = 0;
    for await (const chunk of readChunks(await openContent(file, path))) {
      unpackedBytes += chunk.length;
      refuseBomb(unpackedBytes, file.bytesRead);
      let start = 0;
      for (;;) {
        if (begunBytes === 0) {
          const blank = skipBlankLines(chunk, start);
          start = blank.end;
          number += blank.lines;
        }
        const end = chunk.indexOf(LINE_FEED, start);
        if (end === -1) break;
        addPart(chunk.subarray(start, end));
        endLine();
        start = end + 1;
      }
      addPart(chunk.subarray(start));
      if (lines.length > 0) yield lines;
      lines = [];
    }
    endLine();
    if (lines.length > 0) yield lines;
  } catch (error) {
    if (lines.length > 0) yield lines;
    throw buildFault(error);
  } finally {
    file.destroy();
  }
}

async function openContent(file: ReadStream, path: string): Promise<Readable> {
  await once(file, 'readable');
  const start: unknown = file.read(GZIP_MAGIC.length);
  if (Buffer.isBuffer(start)) file.unshift(start);
  const isGzip = path.endsWith('.gz') || (Buffer.isBuffer(start) && start.equals(GZIP_MAGIC));
  if (!isGzip) return file;
  // The reader of the unpacked bytes receives the errors from both streams, so they are ignored here.
  return pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
}

/** A small file must not keep an import busy for hours. Users can still unpack the file themselves. */
function refuseBomb(unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes < UNJUDGED_BYTES || unpackedBytes <= packedBytes * MOST_TIMES_PACKED) return;
  const message = `unpacks to more than ${MOST_TIMES_PACKED} times its size; unpack it yourself to import it`;
  throw new BundleFault(0, message);
}

/** A file may have millions of blank lines, so they are counted without creating strings. */
function skipBlankLines(chunk: Buffer, from: number): { readonly end: number; readonly lines: number } {
  let end = from;
  let lines = 0;
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (byte === LINE_FEED) {
      lines += 1;
      end = at + 1;
    } else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) break;
  }
  return { end, lines };
}

/** Node's types do not say what the chunks of a stream are. In a file stream, they are always bytes. */
function readChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return content;
}

/** JSON whitespace. A line with any other character is a record. */
const BLANK = /^[ \t\r\n]*$/;

type DecodedLine = Pick<BundleLine, 'text' | 'problem'>;

function describeLongLine([start]: readonly Buffer[]): DecodedLine {
  return { text: start?.toString('latin1') ?? '', problem: `longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
}

function decodeLine(parts: readonly Buffer[], number: number): DecodedLine {
  const [first] = parts;
  const whole = first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
  const start = number === 1 && whole.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const end = whole.at(-1) === CARRIAGE_RETURN ? whole.length - 1 : whole.length;
  const bytes = whole.subarray(start, end);
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  // Text never contains this byte. The file must be binary or UTF-16, so the remaining lines would be unreadable too.
  if (bytes.includes(0)) throw new BundleFault(number, 'not UTF-8 text');
  return { text: bytes.subarray(0, SHOWN_BYTES).toString('latin1'), problem: 'not valid UTF-8' };
}

/** The number of lines read before a gzip fault varies with timing, so the fault has no line number. */
function buildFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BundleFault || !('code' in error)) return error;
  const { code } = error;
  if (code === 'Z_BUF_ERROR') return new BundleFault(0, 'the gzip data ends too early', { cause: error });
  if (String(code).startsWith('Z_')) return new BundleFault(0, `not valid gzip: ${error.message}`, { cause: error });
  if (code === 'ENOENT') return new BundleFault(0, 'no such file', { cause: error });
  if (code === 'EISDIR') return new BundleFault(0, 'is a folder, not a file', { cause: error });
  if (code === 'EACCES' || code === 'EPERM') return new BundleFault(0, 'permission denied', { cause: error });
  return new BundleFault(0, `cannot be read: ${error.message}`, { cause: error });
}
