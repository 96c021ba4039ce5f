import { isConflict } from '../api/api-error.ts';
import { isRecord } from './fields/field-values.ts';

/** A URL, and the published page that has it. */
export interface TakenUrl {
  /** Below the site's address. */
  readonly path: string;
  readonly page: { readonly id: string; readonly name: string };
}

/** What a refused publish says of the page that has the URL; undefined where it was refused for another reason. */
export function readTakenUrl(error: unknown): TakenUrl | undefined {
  if (!isConflict(error) || error.details.reason !== 'url_taken') return undefined;
  const { path, content } = error.details;
  if (typeof path !== 'string' || !isRecord(content)) return undefined;
  const { id, name } = content;
  return typeof id === 'string' && typeof name === 'string' ? { path, page: { id, name } } : undefined;
}
