// Sends many requests, cut into random segments, on one connection. Each request has an ID that its response must contain, so a mixed-up
// response is detected.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, PRESS, site } from '../conformance/records.ts';
import { startService, type TestService } from '../support/service.ts';

/** This text is too long to be sent together with its headers. */
const LONG_TEXT = 'a long text '.repeat(5_000);
const ROUNDS = 40;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  await service.importRecords([
    site(PRESS),
    contentType(PRESS, 'story', [{ handle: 'body', type: 'text' }]),
    content({ id: 'c_long', content_type: 'story', fields: { body: { text: LONG_TEXT } } }),
    content({ id: 'c_short', content_type: 'story', fields: { body: { text: 'short' } } }),
  ]);
  ({ token } = await service.createKey({ allSites: true }));
});

afterAll(() => service.close());

interface Kind {
  readonly line: string;
  readonly headers?: string;
  readonly body?: string;
  readonly status: number;
  readonly text: RegExp;
  readonly isContinued?: true;
  /** The connection may close after this response. */
  readonly mayClose?: true;
}

const PLAIN: readonly Kind[] = [
  { line: 'GET /api/v1/content/c_long', status: 200, text: /^\{"id":"c_long".*\}$/s },
  { line: 'GET /api/v1/content/c_short', status: 200, text: /^\{"id":"c_short".*\}$/s },
  { line: 'GET /api/v1/content?limit=2', status: 200, text: /^\{"data":\[.*\}$/s },
  { line: 'GET /api/v1/content/c_none', status: 404, text: /^\{"message":"Content not found\."\}$/ },
  { line: 'GET /livez', status: 200, text: /^\{"status":"ok"\}$/ },
  { line: 'GET /nowhere', status: 404, text: /^\{"message":"Not found\."\}$/ },
  {
    line: 'POST /manage/v1/sites',
    body: '{"name":"x"}',
    status: 401,
    text: /^\{"message":"Unauthenticated\.","code":"unauthenticated"\}$/,
  },
];
const EXPECTING = PLAIN.map((kind): Kind => ({ ...kind, headers: 'Expect: 100-continue\r\n', isContinued: true }));
const REFUSED = PLAIN.map(
  (kind): Kind => ({
    ...kind,
    headers: 'Expect: more\r\n',
    status: 417,
    text: kind.line.includes('/manage/')
      ? /^\{"message":"Expectation failed\.","code":"expectation_failed"\}$/
      : /^\{"message":"Expectation failed\."\}$/,
  }),
);
const UPGRADING = PLAIN.map(
  (kind): Kind => ({ ...kind, headers: 'Connection: Upgrade\r\nUpgrade: h2c\r\n', mayClose: true }),
);

function write({ line, headers = '', body }: Kind, id: string): string {
  const own = `X-Request-Id: ${id}\r\nAuthorization: Bearer ${token}\r\nX-SERVICE-SITE: ${PRESS}\r\n`;
  const rest =
    body === undefined ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return `${line} HTTP/1.1\r\nHost: localhost\r\n${own}${headers}${rest}`;
}

/** Deterministic random numbers from 0 (inclusive) to 1 (exclusive) for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function sendInSegments(socket: Socket, text: string, random: () => number): Promise<void> {
  const isWhole = random() < 0.4;
  for (let start = 0; start < text.length; ) {
    const end = isWhole ? text.length : start + 1 + Math.floor(random() * 600);
    socket.write(text.slice(start, end), 'latin1');
    start = end;
    // Nagle's algorithm is off, so data written in a later turn is sent in a separate segment.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The responses contained in the bytes. No bytes may be left over. */
function parseStrictly(bytes: string): readonly Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest !== ''; ) {
    const [head = ''] = /^HTTP\/1\.1 \d{3} [\w -]+\r\n(?:[\w-]+: [^\r\n]*\r\n)*\r\n/.exec(rest) ?? [];
    if (head === '') throw new Error(`No response begins with ${JSON.stringify(rest.slice(0, 200))}`);
    const status = Number(head.slice(9, 12));
    const length = status === 100 ? 0 : Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]);
    answers.push({ status, head, body: rest.slice(head.length, head.length + length) });
    rest = rest.slice(head.length + length);
  }
  return answers;
}

async function exchange(kinds: readonly Kind[], random: () => number): Promise<readonly Answer[]> {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  // The last request asks the server to close the connection, so the test can wait for all responses.
  const texts = [
    ...kinds.map((kind, index) => write(kind, `r-${index}`)),
    'GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: end\r\nConnection: close\r\n\r\n',
  ];
  await sendInSegments(socket, texts.join(''), random);
  await ended;
  return parseStrictly(Buffer.concat(chunks).toString('latin1'));
}

function check(kinds: readonly Kind[], answers: readonly Answer[]): void {
  const left = [...answers];
  for (const [index, kind] of kinds.entries()) {
    if (kind.isContinued && left[0]?.status === 100) left.shift();
    const answer = left.shift();
    if (answer === undefined)
      throw new Error(`Request ${index} has no response, and no response closed the connection`);
    expect(answer.head).toContain(`\r\nx-request-id: r-${index}\r\n`);
    expect(answer.status).toBe(kind.status);
    expect(answer.body).toMatch(kind.text);
    if (kind.mayClose && /\r\nconnection: close\r\n/i.test(answer.head)) {
      expect(left).toEqual([]);
      return;
    }
  }
  expect(left).toHaveLength(1);
  expect(left[0]?.head).toContain('\r\nx-request-id: end\r\n');
}

async function run(seed: number, choices: readonly Kind[]): Promise<void> {
  const random = createRandom(seed);
  const kinds = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const kind = choices[Math.floor(random() * choices.length)];
    if (kind === undefined) throw new Error('There is nothing to choose from');
    return kind;
  });
  check(kinds, await exchange(kinds, random));
}

test.each([
  ['plain requests', PLAIN],
  ['requests that wait for "100 Continue"', [...PLAIN, ...EXPECTING]],
  ['requests with an unsupported Expect header', [...PLAIN, ...REFUSED]],
  ['protocol upgrade requests', [...PLAIN, ...PLAIN, ...PLAIN, ...UPGRADING]],
  ['all these kinds of requests', [...PLAIN, ...EXPECTING, ...REFUSED, ...UPGRADING]],
])('a client cannot mix up or lose responses by pipelining %s', async (_name, choices) => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    await run(seed, choices).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
  }
});

test('a protocol upgrade request that arrives in a TCP segment of its own does not close the connection', async () => {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
  const upgrade = { ...UPGRADING[4], status: 200, line: 'GET /livez', text: /ok/ };
  for (const id of ['one', 'two', 'three']) {
    socket.write(write(upgrade, id));
    let received = '';
    while (!received.endsWith('{"status":"ok"}')) received += String(await once(socket, 'data'));
    expect(received).toMatch(/\r\nconnection: keep-alive\r\n/i);
    expect(received).toContain(`\r\nx-request-id: ${id}\r\n`);
  }
  socket.destroy();
});

test('a CONNECT request that follows other requests is rejected only after those requests have been answered', async () => {
  const kinds = [PLAIN[0], PLAIN[1], PLAIN[2]].filter((kind) => kind !== undefined);
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
  socket.write(
    `${kinds.map((kind, index) => write(kind, `r-${index}`)).join('')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answers = parseStrictly(Buffer.concat(chunks).toString('latin1'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 405]);
});
