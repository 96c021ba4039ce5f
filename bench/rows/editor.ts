// Calls the management API of a running service with a management token, one call at a time.

import { Agent, request } from 'node:http';
import { runGalley } from '../galley-process.ts';
import { readToken } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';

export interface Editor {
  readonly origin: string;
  readonly token: string;
}

const agent = new Agent({ keepAlive: true });

export async function createEditor(scratch: Scratch, databaseUrl: string, origin: string): Promise<Editor> {
  const created = await runGalley(scratch, databaseUrl, ['token', 'create', '--name', 'Bench', '--json']);
  return { origin, token: readToken(created.output) };
}

/** @param body sent as is if it is text, otherwise as JSON */
export function call(
  { origin, token }: Editor,
  method: string,
  path: string,
  body?: object | string,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${origin}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve(text === '' ? undefined : JSON.parse(text));
        else reject(new Error(`${method} ${path} returned ${statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
