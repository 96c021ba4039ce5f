// Detects a file's type from its bytes. The name only distinguishes kinds of plain text, so no name can make a browser run a file.

import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileTypeFromBuffer } from 'file-type';
import type { ByteSource } from './byte-source.ts';

export interface InspectedFile {
  /** A MIME type without parameters. */
  readonly type: string;
  /** Without a dot. */
  readonly extension: string;
}

const UNKNOWN: InspectedFile = { type: 'application/octet-stream', extension: 'bin' };
const SVG: InspectedFile = { type: 'image/svg+xml', extension: 'svg' };
const XML: InspectedFile = { type: 'application/xml', extension: 'xml' };
const XHTML: InspectedFile = { type: 'application/xhtml+xml', extension: 'xhtml' };
const HTML: InspectedFile = { type: 'text/html', extension: 'html' };

const TEXT_TYPES: Readonly<Record<string, InspectedFile>> = {
  '.txt': { type: 'text/plain', extension: 'txt' },
  '.csv': { type: 'text/csv', extension: 'csv' },
  '.md': { type: 'text/markdown', extension: 'md' },
  '.markdown': { type: 'text/markdown', extension: 'md' },
  '.json': { type: 'application/json', extension: 'json' },
  '.vtt': { type: 'text/vtt', extension: 'vtt' },
};

/** Text formats. If text begins with another format's signature, that is a coincidence: a table of cars may begin with `BM`. */
const TEXT_SIGNATURES =
  /^(?:text\/|application\/(?:pdf|postscript|eps|rtf|xml|pgp-encrypted|x-ms-regedit|x-spss-sav)$|model\/)/;

/** Document formats that are archives have their signatures near the start. */
const HEAD_BYTES = 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export async function inspectFile(source: ByteSource, name: string): Promise<InspectedFile> {
  const head = source.read(0, HEAD_BYTES);
  const found = await findSignature(head);
  if (found?.type === XML.type) return findRoot(head);
  if (found !== undefined && TEXT_SIGNATURES.test(found.type)) return found;
  const asText = findMarkup(head) ?? TEXT_TYPES[extname(name).toLowerCase()] ?? UNKNOWN;
  const asOther = found ?? UNKNOWN;
  if (asText === asOther) return asOther;
  // Almost all other formats have a null byte near the start, so this rarely reads a large file to the end.
  return (await isText(source)) ? asText : asOther;
}

async function findSignature(head: Buffer): Promise<InspectedFile | undefined> {
  try {
    const found = await fileTypeFromBuffer(head);
    if (found === undefined) return undefined;
    const [type = ''] = found.mime.split(';');
    return { type: type.trim().toLowerCase(), extension: found.ext };
  } catch {
    // A file whose structure is cut off does not count as a file of that type.
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
const CONTROL_CHARACTER = /[\x00-\x08\x0B\x0E-\x1F\x7F]/;

/** Whether all bytes are UTF-8 without control characters. */
async function isText(source: ByteSource): Promise<boolean> {
  for (let offset = 0; offset < source.size; ) {
    const chunk = source.read(offset, CHUNK_BYTES);
    const isLast = offset + chunk.length >= source.size;
    const characters = isLast ? chunk : chunk.subarray(0, findLastCharacter(chunk));
    // The file has become shorter since its size was read.
    if (characters.length === 0) return false;
    // In UTF-8, bytes below 0x80 are always whole characters, so the text need not be decoded.
    if (!isUtf8(characters) || CONTROL_CHARACTER.test(characters.toString('latin1'))) return false;
    offset += characters.length;
    // Checking long text must not keep other requests waiting.
    if (!isLast) await setImmediate();
  }
  return true;
}

/** The offset at which the last character begins. It may continue in the next chunk. */
function findLastCharacter(chunk: Buffer): number {
  let start = chunk.length - 1;
  while (start > chunk.length - 4 && isContinuation(chunk[start])) start -= 1;
  return start;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

// The elements that browsers recognise as the start of HTML, except those that Markdown files often begin with.
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|base|style|script|iframe|object|embed)(?=[\s/>])/i;

/** Text that a browser might treat as markup is never served as plain text, whatever the file is called. */
function findMarkup(head: Buffer): InspectedFile | undefined {
  const start = skipProlog(head.toString('utf8'));
  if (HTML_START.test(start)) return /^<html[^>]*\sxmlns\s*=/i.test(start) ? XHTML : HTML;
  if (/^<(?:[\w.-]+:)?svg(?=[\s/>])/.test(start)) return SVG;
  return undefined;
}

/** Detects the type of an XML file by its root element. */
function findRoot(head: Buffer): InspectedFile {
  // Only UTF-8 is sanitised, so SVG in other encodings is downloaded as XML.
  const markup = findMarkup(head);
  return markup === undefined || markup === SVG ? (markup ?? XML) : XHTML;
}

/**
 * Everything that may precede the root element: a byte order mark, whitespace, comments, processing instructions, and a document type.
 */
const PROLOG = /^(?:[\uFEFF\s]+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!doctype\s(?!\s*html)[^>[]*(?:>|\[[\s\S]*?\]\s*>))/i;

function skipProlog(text: string): string {
  let rest = text;
  while (true) {
    const prolog = PROLOG.exec(rest);
    if (prolog === null) return rest;
    rest = rest.slice(prolog[0].length);
  }
}
