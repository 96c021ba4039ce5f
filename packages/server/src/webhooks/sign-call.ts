// Signs calls as Standard Webhooks specifies: HMAC-SHA-256 over the id, the time and the body, with a secret that only the site's owners
// and the receiver know.

import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * The value of the `webhook-signature` header. While a secret is being replaced, it contains a signature for each of the two secrets.
 * @param timestamp in seconds
 */
export function signCall(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`).join(' ');
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
