import { setTimeout } from 'node:timers/promises';
import { revalidateTag } from 'next/cache';
import { after } from 'next/server';
import { Webhook } from 'standardwebhooks';
import { listTags, type WebhookEvent } from '../../../lib/cached-content.ts';
import { readVariable } from '../../../lib/read-variable.ts';

/** Galley sends at most about 1 MB. */
const LONGEST_BODY = 2_000_000;
/** If Galley runs on several nodes, some of them return the old content for a moment after a change. */
const SETTLING_MS = 1_000;

/** Galley calls this URL after every change, possibly twice. A second call only causes the content to be read once more. */
export async function POST(request: Request): Promise<Response> {
  const event = await verifyCall(request);
  if (event === undefined) return new Response('The signature is wrong.', { status: 401 });
  const tags = listTags(event);
  expire(tags);
  after(async () => {
    await setTimeout(SETTLING_MS);
    expire(tags);
  });
  return new Response(null, { status: 204 });
}

/** Returns undefined if the call is not from Galley. */
async function verifyCall(request: Request): Promise<WebhookEvent | undefined> {
  const secret = readVariable('GALLEY_WEBHOOK_SECRET');
  const body = await readBody(request);
  if (!secret || body === undefined) return undefined;
  try {
    return new Webhook(secret).verify(body, Object.fromEntries(request.headers)) as WebhookEvent;
  } catch {
    return undefined;
  }
}

async function readBody(request: Request): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Makes the next visitor wait for the new content, instead of seeing the old content again. */
function expire(tags: readonly string[]): void {
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
}
