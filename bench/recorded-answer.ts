// A response exactly as the service sent it, so that the bare server can send the same headers and bytes.

import { Agent, get } from 'node:http';

export interface RecordedAnswer {
  /** Alternating names and values, without the headers that Node itself adds to every response. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Reader {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

const OWN_HEADERS_OF_NODE: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
const agent = new Agent({ keepAlive: true });

/** The response must have status 200, or the expected status. */
export async function recordAnswer(reader: Reader, path: string, expected = 200): Promise<RecordedAnswer> {
  const { status, headers, body } = await askFor(reader, path);
  if (status !== expected) throw new Error(`GET ${path} returned ${status}: ${body}`);
  return { headers, body };
}

export interface TimedAnswer extends RecordedAnswer {
  readonly status: number;
  /** The time from the call to the last byte. */
  readonly milliseconds: number;
}

/** Uses a persistent connection, which consecutive requests share. */
export function askFor({ origin, headers }: Reader, path: string): Promise<TimedAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(`${origin}${path}`, { headers: { ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const milliseconds = performance.now() - startedAt;
        const body = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, rawHeaders } = response;
        resolve({ status, headers: withoutNodesOwn(rawHeaders), body, milliseconds });
      });
    });
    request.on('error', reject);
  });
}

function withoutNodesOwn(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !OWN_HEADERS_OF_NODE.has(name.toLowerCase());
  });
}

export function findHeader({ headers }: RecordedAnswer, name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}
