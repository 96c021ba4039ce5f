import { readVariable } from './read-variable.ts';

/** The prefix of the API's own headers, which Galley's `GALLEY_HEADER_PREFIX` sets. */
export function readHeaderPrefix(): string {
  return readVariable('GALLEY_HEADER_PREFIX') || 'X-SERVICE';
}
