// The paths of the delivery API, told apart without a router: a look at each character of an id is all that it takes.

export const LIST_PATH = '/api/v1/content';

/** What a path leads to: the list, or the object with this id. */
export interface ContentPath {
  /** Null for the list. */
  readonly id: string | null;
}

const LIST: ContentPath = { id: null };
/** Other characters must be decoded first, or are not part of any id. */
const PLAIN_ID = /^[\w-]+$/;

/** Undefined where the path is another one, or needs a closer look. */
export function findContentPath(url: string): ContentPath | undefined {
  if (!url.startsWith(LIST_PATH)) return undefined;
  const question = url.indexOf('?', LIST_PATH.length);
  const end = question === -1 ? url.length : question;
  if (end === LIST_PATH.length) return LIST;
  if (url.charCodeAt(LIST_PATH.length) !== 47) return undefined;
  const id = url.slice(LIST_PATH.length + 1, end);
  return PLAIN_ID.test(id) ? { id } : undefined;
}
