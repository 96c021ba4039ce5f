// Reads a form (`multipart/form-data`, RFC 7578) part by part as it arrives. Nothing is kept: the chunks of a file are passed on as they
// arrive, and the next part begins only after the last of them.

/** The form cannot be read, or is larger than allowed. The message is a sentence. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly code: 'malformed' | 'too_large';

  constructor(code: FormError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      /** The name as the client sent it; it may be empty or contain a path. */
      readonly fileName: string;
      /** Must be read before the next part. Unread bytes are skipped. */
      readonly bytes: AsyncIterable<Uint8Array>;
    };

/** The limit for all fields together. The longest description takes up 20 KB. */
const MOST_FIELD_BYTES = 64 * 1024;
const MOST_PARTS = 500;
const MOST_HEADER_BYTES = 8 * 1024;
const MOST_EPILOGUE_BYTES = 64 * 1024;

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** Returns undefined if the media type is not that of a form, or has no boundary. */
export function parseFormBoundary(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain;
}

const CRLF = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = 13;

/** Throws a FormError, or the source's error. */
export async function* readForm(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPart, void, void> {
  const reader = new FormReader(source, Buffer.from(`\r\n--${boundary}`, 'latin1'));
  let fieldBytes = 0;
  let parts = 0;
  try {
    await reader.skipBody();
    while (await reader.beginPart()) {
      parts += 1;
      if (parts > MOST_PARTS) throw new FormError('too_large', `A form may have at most ${MOST_PARTS} parts.`);
      const { name, fileName } = parseHeaders(await reader.readHeaders());
      if (fileName === undefined) {
        const value = await reader.readText(MOST_FIELD_BYTES - fieldBytes, name);
        fieldBytes += Buffer.byteLength(value);
        yield { kind: 'field', name, value };
      } else {
        yield { kind: 'file', name, fileName, bytes: reader.readBody() };
        await reader.skipBody();
      }
    }
    await reader.skipEpilogue();
  } finally {
    await reader.close();
  }
}

class FormReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  /** Bytes that have arrived but have not been used yet. The first delimiter has no line break before it, so we supply one. */
  #rest: Buffer = CRLF;
  /** Whether the position is inside the body of a part, or in the preamble. */
  #isInBody = true;

  constructor(source: AsyncIterable<Uint8Array>, delimiter: Buffer) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#delimiter = delimiter;
  }

  /** Call this when the position is after a delimiter. Returns false if that was the last one. */
  async beginPart(): Promise<boolean> {
    while (this.#rest.length < 2) await this.#readMore();
    return this.#rest.toString('latin1', 0, 2) !== '--';
  }

  /** The lines after the delimiter, beginning with the remainder of the delimiter's own line, which is empty. */
  async readHeaders(): Promise<string> {
    while (true) {
      const end = this.#rest.indexOf(HEADERS_END);
      if (end > MOST_HEADER_BYTES || (end === -1 && this.#rest.length > MOST_HEADER_BYTES)) {
        throw new FormError('too_large', `The headers of a part can be at most ${MOST_HEADER_BYTES} bytes long.`);
      }
      if (end !== -1) {
        const text = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + HEADERS_END.length);
        this.#isInBody = true;
        return text;
      }
      await this.#readMore();
    }
  }

  async *readBody(): AsyncGenerator<Uint8Array, void, void> {
    for (let piece = await this.#readPiece(); piece !== undefined; piece = await this.#readPiece()) yield piece;
  }

  async skipBody(): Promise<void> {
    while ((await this.#readPiece()) !== undefined);
  }

  async readText(mostBytes: number, name: string): Promise<string> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.readBody()) {
      bytes += piece.length;
      if (bytes > mostBytes) {
        throw new FormError('too_large', `The field ${JSON.stringify(name.slice(0, 100))} is too long.`);
      }
      pieces.push(piece);
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    } catch {
      throw new FormError('malformed', `The field ${JSON.stringify(name.slice(0, 100))} is not valid UTF-8.`);
    }
  }

  /** Usually there is only a line break. The request is complete once everything has been read. */
  async skipEpilogue(): Promise<void> {
    let bytes = 0;
    for (let next = await this.#chunks.next(); next.done !== true; next = await this.#chunks.next()) {
      bytes += next.value.length;
      if (bytes > MOST_EPILOGUE_BYTES)
        throw new FormError('malformed', 'There is more data after the end of the form.');
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** The next bytes of the body; undefined at its end, when the position is after the delimiter. */
  async #readPiece(): Promise<Buffer | undefined> {
    while (this.#isInBody) {
      const rest = this.#rest;
      const end = rest.indexOf(this.#delimiter);
      if (end !== -1) {
        this.#isInBody = false;
        this.#rest = rest.subarray(end + this.#delimiter.length);
        if (end > 0) return rest.subarray(0, end);
        break;
      }
      const safe = this.#findPartOfDelimiter(rest);
      this.#rest = rest.subarray(safe);
      if (safe > 0) return rest.subarray(0, safe);
      await this.#readMore();
    }
    return undefined;
  }

  /** The offset of an incomplete delimiter at the end of the bytes, or the number of bytes if there is none. */
  #findPartOfDelimiter(bytes: Buffer): number {
    let at = bytes.indexOf(CARRIAGE_RETURN, Math.max(0, bytes.length - this.#delimiter.length + 1));
    while (at !== -1 && bytes.compare(this.#delimiter, 0, bytes.length - at, at) !== 0) {
      at = bytes.indexOf(CARRIAGE_RETURN, at + 1);
    }
    return at === -1 ? bytes.length : at;
  }

  async #readMore(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new FormError('malformed', 'The form ends before its last boundary.');
    const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
  }
}

const DISPOSITION = /^content-disposition:\s*form-data\s*(;.*)$/im;
const ENCODING = /^content-transfer-encoding:\s*(\S+)/im;
const PLAIN_ENCODINGS = new Set(['binary', '8bit', '7bit']);
const PARAMETER = /;\s*(name|filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;

function parseHeaders(text: string): { readonly name: string; readonly fileName: string | undefined } {
  const [, disposition] = DISPOSITION.exec(text) ?? [];
  if (disposition === undefined) throw new FormError('malformed', 'A part of the form has no Content-Disposition.');
  const [, encoding = 'binary'] = ENCODING.exec(text) ?? [];
  if (!PLAIN_ENCODINGS.has(encoding.toLowerCase())) {
    throw new FormError('malformed', 'The parts of a form must be sent without a Content-Transfer-Encoding.');
  }
  const parameters = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of disposition.matchAll(PARAMETER)) {
    const value = quoted === undefined ? plain : unquote(quoted);
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), value);
  }
  const name = parameters.get('name');
  if (name === undefined) throw new FormError('malformed', 'A part of the form has no name.');
  return { name, fileName: decodeExtended(parameters.get('filename*')) ?? parameters.get('filename') };
}

/** Browsers escape quotes with a percent sign, other clients with a backslash. */
function unquote(text: string): string {
  return text.replaceAll(/%22|\\"/g, '"');
}

/** `UTF-8''na%C3%AFve.jpg` */
function decodeExtended(text: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
