// Tests Astro's draft mode cookie in a process where environment variables stand in for Astro's variables.

import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DRAFT_MODE = join(import.meta.dirname, '../../../examples/astro-magazine/src/lib/draft-mode.ts');
const VARIABLES = 'data:text/javascript,export const getSecret = (name) => process.env[name]';
const SCRIPT = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      name === 'astro:env/server' ? { url: ${JSON.stringify(VARIABLES)}, shortCircuit: true } : next(name, context),
  });
  const { isDraftMode } = await import(${JSON.stringify(DRAFT_MODE)});
  const [, value] = process.argv;
  console.log(isDraftMode({ get: () => ({ value }) }));
`;
const sign = (secret: string) => createHmac('sha256', secret).update('draft mode').digest('base64url');

test.each([
  ['draft mode is on if the cookie was created with the secret', 'mine', sign('mine'), true],
  ['draft mode is off if the cookie was created with a different secret', 'mine', sign('other'), false],
  ['draft mode is off if no secret is set, whatever the cookie contains', '', 'x', false],
  ['draft mode is off if no secret is set, even if the cookie was created without one', '', sign(''), false],
])('%s', (_, secret, cookie, isDraft) => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, cookie], {
    env: { ...process.env, GALLEY_PREVIEW_SECRET: secret },
    encoding: 'utf8',
  });
  expect(printed).toBe(`${isDraft}\n`);
});
