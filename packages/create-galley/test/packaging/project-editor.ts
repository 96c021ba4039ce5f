// Manages a created project as an editor, a script or an owner would: through the management API and the command line.

import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { type ProgramOptions, runWithSuccess } from '../../../../scripts/testing/running-program.ts';

export interface ProjectEditor {
  /** Saves these values and publishes the content. */
  publish(id: string, values: object): Promise<void>;
  unpublish(id: string): Promise<void>;
  /** Creates a link that shows a draft to people without an account. */
  share(id: string): Promise<ShareLink>;
}

export interface ShareLink {
  readonly url: string;
  revoke(): Promise<void>;
}

export interface Owner {
  readonly email: string;
  readonly password: string;
}

interface Answer {
  readonly id: string;
  readonly version: number;
  readonly url: string;
}

/** @param options the project's folder, and the environment with Galley's port */
export async function createEditor(options: ProgramOptions): Promise<ProjectEditor> {
  const { token } = await runGalley(options, 'token', 'create', '--name', 'Test', '--role', 'editor');

  async function send(method: string, path: string, body: object | null): Promise<Answer> {
    const url = `http://127.0.0.1:${options.env?.GALLEY_PORT}/manage/v1/sites/s_demo/content/${path}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text || 'null');
  }

  return {
    async publish(id, values) {
      const { version } = await send('GET', id, null);
      await send('PUT', id, { version, ...values });
      await send('POST', `${id}/publish`, {});
    },
    async unpublish(id) {
      await send('POST', `${id}/unpublish`, { confirm: true });
    },
    async share(id) {
      const link = await send('POST', `${id}/share-links`, {});
      return {
        url: link.url,
        async revoke() {
          await send('DELETE', `${id}/share-links/${link.id}`, null);
        },
      };
    },
  };
}

/** The demo's own owner has a password that is printed only on the first start. */
export async function createOwner(options: ProgramOptions): Promise<Owner> {
  const user = { email: 'elspeth@magazine.example', name: 'Elspeth Garrow', role: 'owner' };
  const flags = Object.entries(user).flatMap(([name, value]) => [`--${name}`, value]);
  const { password } = await runGalley(options, 'user', 'create', ...flags);
  if (password === undefined) throw new Error('The owner has no password');
  return { email: user.email, password };
}

/** @returns the secret */
export async function createWebhook(options: ProgramOptions, url: string): Promise<string> {
  const { secret } = await runGalley(options, 'webhook', 'create', '--site', 's_demo', '--name', 'Test', '--url', url);
  if (secret === undefined) throw new Error('The webhook has no secret');
  return secret;
}

/** @param action whether to show the site's preview secret, or to replace it */
export async function readSecret(options: ProgramOptions, action: 'show' | 'rotate-secret' = 'show'): Promise<string> {
  const { secret } = await runGalley(options, 'preview', action, '--site', 's_demo');
  if (secret === undefined) throw new Error('The site has no preview secret');
  return secret;
}

async function runGalley(options: ProgramOptions, ...words: readonly string[]): Promise<NodeJS.Dict<string>> {
  const program = join(options.cwd, 'node_modules/.bin/galley');
  return JSON.parse(await runWithSuccess([program, ...words, '--json'], options));
}

/** Sends a test event to a webhook, as Galley does. */
export function callWebhook(url: string, secret: string): Promise<Response> {
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} });
  const [id, time] = ['msg_test', String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
  return fetch(url, { method: 'POST', headers, body });
}
