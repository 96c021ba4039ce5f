import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawQuarters } from '../images/pictures.fixture.ts';
import { takeRemote } from './uploader.ts';
import { listStored, openUploads, RULES, readStored, type Uploads } from './uploads.fixture.ts';

const ALLOW_ALL = { isAllowed: () => true };

let uploads: Uploads;
let picture: Buffer;
let server: Server;
let origin: string;

beforeAll(async () => {
  uploads = await openUploads('folder');
  picture = await drawQuarters(20, 10);
  server = createServer((request, response) => {
    if (request.url === '/missing.png') response.writeHead(404);
    if (request.url === '/moved') response.writeHead(302, { location: '/pictures/sch%C3%B6n.png?x=1' });
    if (request.url === '/half.png') {
      response.writeHead(200, { 'content-length': picture.length });
      response.write(picture.subarray(0, 50), () => response.destroy());
      return;
    }
    response.end(picture);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await uploads[Symbol.asyncDispose]();
});

test('a file from the web is treated like an upload', async () => {
  const taken = await takeRemote(uploads.tools, `${origin}/moved`, RULES, ALLOW_ALL);
  if (!taken.ok) throw new Error(taken.problem.message);
  await using file = taken.value;
  expect(file).toMatchObject({ type: 'image/png', fileName: 'schön.png', width: 20, height: 10 });
  expect((await readStored(uploads, file.sha256)).equals(picture)).toBe(true);
});

test.each([
  ['a private address', '/a.png', {}, {}, 'private_address'],
  ['another status', '/missing.png', {}, ALLOW_ALL, 'status'],
  ['a lost connection', '/half.png', {}, ALLOW_ALL, 'unreachable'],
  ['a file that is too large', '/a.png', { mostBytes: 10 }, ALLOW_ALL, 'too_large'],
  ['a type that is not allowed', '/a.png', { types: ['application/pdf'] }, ALLOW_ALL, 'type_not_allowed'],
] as const)('%s is reported as a problem', async (_what, path, rules, seams, code) => {
  const stored = await listStored(uploads);
  const taken = await takeRemote(uploads.tools, origin + path, { ...RULES, ...rules }, seams);
  expect(taken).toMatchObject({ ok: false, problem: { code, message: expect.stringMatching(/\.$/) } });
  expect(await listStored(uploads)).toEqual(stored);
  expect(await uploads.listTemporary()).toEqual([]);
});

test('an address must be a web address', async () => {
  const taken = await takeRemote(uploads.tools, 'file:///etc/passwd', RULES);
  expect(taken).toMatchObject({ ok: false, problem: { code: 'invalid_url' } });
});
