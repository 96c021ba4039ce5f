// A large upload over HTTP, in a form or as a resumable upload, hardly increases memory usage, and other requests do not wait for it.

import { once } from 'node:events';
import { type ClientRequest, request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { reportProof } from '../../oracle/proof.ts';
import { readResidentMb } from '../../support/resident-memory.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';
import { siteRecord } from '../../support/small-site.ts';

const MEGABYTE = 1024 ** 2;
const SIZE_MB = 2048;
const MOST_GROWTH_MB = 50;
const SITE = '/manage/v1/sites/s_small';
const BOUNDARY = 'a-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

async function write(request: ClientRequest, bytes: string | Buffer): Promise<void> {
  if (!request.write(bytes)) await once(request, 'drain');
}

/** Sends this many megabytes, and returns the status and the body. */
async function send(
  { url, managementToken }: ServedSite,
  method: string,
  path: string,
  { headers, head = '', tail = '', megabytes }: Sent,
): Promise<readonly [number | undefined, string]> {
  const length = head.length + megabytes * MEGABYTE + tail.length;
  const request = openRequest(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${managementToken}`, 'content-length': length, ...headers },
  });
  const answered = once(request, 'response');
  await write(request, head);
  for (let count = 0; count < megabytes * 4; count += 1) await write(request, Buffer.alloc(MEGABYTE / 4, count));
  request.end(tail);
  const [response] = await answered;
  return [response.statusCode, await text(response)];
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly head?: string;
  readonly tail?: string;
  readonly megabytes: number;
}

function sendForm(site: ServedSite, megabytes: number): Promise<readonly [number | undefined, string]> {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return send(site, 'POST', `${SITE}/assets`, { headers, head: HEAD, tail: TAIL, megabytes });
}

async function sendResumable(site: ServedSite, megabytes: number): Promise<readonly [number | undefined, string]> {
  const authorization = `Bearer ${site.managementToken}`;
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${site.url}${SITE}/uploads`, {
    method: 'POST',
    headers: { authorization, ...tus, 'upload-length': String(megabytes * MEGABYTE) },
  });
  const path = begun.headers.get('location') ?? '';
  const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const sent = await send(site, 'PATCH', path, { headers, megabytes });
  expect(sent).toEqual([204, '']);
  const created = await fetch(`${site.url}${SITE}/assets`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ upload: path.split('/').at(-1) }),
  });
  return [created.status, await created.text()];
}

test.each([
  ['a form', sendForm],
  ['a resumable upload', sendResumable],
])('a large file in %s increases memory usage by at most 50 MB', async (name, upload) => {
  await using site = await serveSite([siteRecord()], { environment: { GALLEY_MAX_UPLOAD_MB: '4096' } });
  const { pid } = site.server;
  for (let round = 0; round < 3; round += 1) expect((await upload(site, 16))[0]).toBe(201);
  const before = readResidentMb(pid);
  let most = before;
  let slowestMs = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const since = performance.now();
      await (await fetch(`${site.url}/livez`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - since);
      most = Math.max(most, readResidentMb(pid));
    }
  })();
  const start = performance.now();
  const [status, body] = await upload(site, SIZE_MB);
  const seconds = (performance.now() - start) / 1000;
  isOver = true;
  await watching;
  expect([status, JSON.parse(body)]).toMatchObject([201, { size: SIZE_MB * MEGABYTE }]);
  reportProof(
    `${SIZE_MB} MB in ${name}: memory grew from ${before} to ${most} MB; ${(SIZE_MB / seconds).toFixed()} MB/s; ` +
      `slowest other request ${slowestMs.toFixed()} ms`,
  );
  expect(most - before).toBeLessThan(MOST_GROWTH_MB);
});
