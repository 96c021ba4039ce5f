// The databases of a PostgreSQL server.

import { Client } from 'pg';

/** An empty database with the schema, used as a template. */
export const TEMPLATE = 'galley_template';

export function nameDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function runOnServer(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
