import { readVariable } from './read-variable.ts';

/** The prefix of the API's own headers, as set by `GALLEY_HEADER_PREFIX` in Galley. */
export function readHeaderPrefix(): string {
  return readVariable('GALLEY_HEADER_PREFIX') || 'X-SERVICE';
}
