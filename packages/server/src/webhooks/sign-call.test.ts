import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signCall } from './sign-call.ts';

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function sign(secrets: readonly string[], body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signCall(secrets, 'msg_1', timestamp, body),
  };
}

test('the reference library accepts a signature, and rejects it for a different body, id or secret', () => {
  const secret = newSecret();
  const body = '{"type":"content.published","data":{"name":"Grüße 👋"}}';
  const headers = sign([secret], body);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
});

test('with two secrets, a receiver that knows either one accepts the call', () => {
  const [current, former] = [newSecret(), newSecret()];
  const headers = sign([current, former], '{}');
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const secret of [current, former]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
});
