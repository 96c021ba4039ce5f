import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import { parseStrictJson } from '../content/strict-json.ts';

/** @returns undefined where there is none */
export function parseBody(bytes: unknown): unknown {
  if (!(bytes instanceof Buffer) || bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AuthoringRefusal('The body is not valid UTF-8.', { reason: 'malformed' });
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new AuthoringRefusal(`The body ${parsed.problem}.`, { reason: 'malformed' });
  return parsed.value;
}
