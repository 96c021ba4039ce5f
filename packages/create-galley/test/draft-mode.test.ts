// Tests the front ends' draft cookie in a process where environment variables stand in for the frameworks' variables.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const DRAFT_MODE = join(ROOT, 'examples/magazine-shared/src/lib/draft-mode.ts');
const REPLACED = {
  './read-variable.ts': 'data:text/javascript,export const readVariable = (name) => process.env[name]',
  '@galley/client': `file://${join(ROOT, 'packages/client/src/index.ts')}`,
};
const SCRIPT = `
  import { registerHooks } from 'node:module';
  import { createInterface } from 'node:readline';
  const replaced = ${JSON.stringify(REPLACED)};
  registerHooks({
    resolve: (name, context, next) =>
      name in replaced && !context.parentURL.includes('/packages/')
        ? { url: replaced[name], format: replaced[name].startsWith('file:') ? 'module-typescript' : 'module', shortCircuit: true }
        : next(name, context),
  });
  const { buildDraftCookie, checkAccess, isPreviewSecret, isShareToken } = await import(${JSON.stringify(DRAFT_MODE)});
  const functions = { buildDraftCookie, checkAccess, isPreviewSecret, isShareToken };
  for await (const line of createInterface({ input: process.stdin })) {
    const { name, value, secret } = JSON.parse(line);
    process.env.GALLEY_PREVIEW_SECRET = secret;
    console.log(JSON.stringify(await functions[name](value)));
  }
`;

const program = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
afterAll(() => program.stdin.end());

async function call(name: string, value: unknown, secret: string): Promise<unknown> {
  program.stdin.write(`${JSON.stringify({ name, value, secret })}\n`);
  return JSON.parse((await answers.next()).value ?? '');
}

const prove = (secret: string) => createHmac('sha256', secret).update('draft mode').digest('base64url');

test.each([
  ['without a cookie, visitors see what is published', 'mine', '', 'published'],
  ['a cookie that was created with the secret shows drafts', 'mine', prove('mine'), 'drafts'],
  ['a cookie that was created with another secret has ended', 'mine', prove('other'), 'ended'],
  ['the secret itself is not a valid cookie', 'mine', 'mine', 'ended'],
  ['if no secret is set, every cookie has ended', '', 'x', 'ended'],
  ['if no secret is set, a cookie that was created without one has ended too', '', prove(''), 'ended'],
])('%s', async (_, secret, cookie, access) => {
  expect(await call('checkAccess', cookie, secret)).toBe(access);
});

test.each([
  ['the secret', 'mine', 'mine', true],
  ['another text', 'mine', 'mine2', false],
  ['an empty text', 'mine', '', false],
  ['an empty text if no secret is set', '', '', false],
])('draft mode starts with the secret only: %s', async (_, secret, given, isRight) => {
  expect(await call('isPreviewSecret', given, secret)).toBe(isRight);
});

test.each([
  ['gsh_abc-DEF_123', true],
  ['gsh_', false],
  ['gk_abc', false],
  ['gsh_a; Path=/x', false],
  [`gsh_${'a'.repeat(201)}`, false],
])('%j is a share token: %j', async (text, isToken) => {
  expect(await call('isShareToken', text, 'mine')).toBe(isToken);
});

test('the cookie works in a frame on another site, and scripts cannot read it', async () => {
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';
  expect(await call('buildDraftCookie', 'drafts', 'mine')).toBe(`galley_draft=${prove('mine')}; ${attributes}`);
  expect(await call('buildDraftCookie', { shareToken: 'gsh_1' }, 'mine')).toBe(`galley_draft=gsh_1; ${attributes}`);
});
