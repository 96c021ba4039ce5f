// Requests images, several at a time, and uploads files.

import { Agent, get, request } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface Asked {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: { ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        resolve({ status, type: response.headers['content-type'] ?? '', body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
  });
}

/** The service limits how many new images one client may request. */
function buildAddress(number: number): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
}

let clients = 0;

/** Requests an image as a new client. Any status other than 200 is an error. */
export async function askForImage(url: string): Promise<Asked> {
  clients += 1;
  const asked = await ask(url, buildAddress(clients));
  if (asked.status !== 200) throw new Error(`GET ${url} returned ${asked.status}: ${asked.body.toString()}`);
  if (!asked.type.startsWith('image/')) throw new Error(`GET ${url} returned ${asked.type}`);
  return asked;
}

/** Requests all URLs, `atOnce` of them at a time. @returns the number of responses per second */
export async function askForAll(urls: readonly string[], atOnce: number): Promise<number> {
  const waiting = [...urls];
  const startedAt = performance.now();
  async function work(): Promise<void> {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) await askForImage(url);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return (urls.length / (performance.now() - startedAt)) * 1000;
}

const BOUNDARY = 'galley-bench-boundary';

export interface UploadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly body: AsyncIterable<Uint8Array> | Readable;
}

export interface Uploaded {
  readonly answer: string;
  readonly seconds: number;
}

/** Sends a file as a browser would. */
export async function upload({ url, headers, name, type, bytes, body }: UploadOrder): Promise<Uploaded> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const startedAt = performance.now();
  const sent = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(head.length + bytes + tail.length),
    },
  });
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 201) resolve(text);
        else reject(new Error(`POST ${url} returned ${response.statusCode}: ${text}`));
      });
    });
  });
  await pipeline(async function* () {
    yield Buffer.from(head);
    yield* body;
    yield Buffer.from(tail);
  }, sent);
  return { answer: await answered, seconds: (performance.now() - startedAt) / 1000 };
}
