import type { Method } from '../route.ts';

/**
 * A name for an operation that says what its method and path say: `getSiteAuthors` lists, `getSiteAuthor` reads one of
 * them. It depends on nothing but the route, so that it stays when other routes come and go.
 */
export function buildOperationId(method: Method, path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const words = parts.flatMap((part, index) => listWords(part, parts[index + 1]));
  return `${method.toLowerCase()}${words.map(capitalize).join('')}`;
}

/** A collection with one of its things behind it is named by the thing: `sites/{site}` is `Site`. */
function listWords(part: string, next: string | undefined): readonly string[] {
  const parameter = readParameter(part);
  if (parameter !== undefined) return [parameter];
  const thing = next === undefined ? undefined : readParameter(next);
  if (thing === undefined) return part.split(/[^A-Za-z0-9]+/);
  // `content/{content}` would be named like the list itself.
  if (thing === part) return ['one'];
  return part.startsWith(thing.slice(0, 3)) ? [] : part.split(/[^A-Za-z0-9]+/);
}

function readParameter(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1];
}

function capitalize(word: string): string {
  const camel = word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${camel.slice(0, 1).toUpperCase()}${camel.slice(1)}`;
}
