import type { ManagedTypeBody } from '@galley/wire';
import type { Fault } from '../api/api-error.ts';
import { namePart } from './name-part.ts';

/** A fault in one line, with the name of the part of the content that it is about. */
export function describeFault({ path, message }: Fault, type: ManagedTypeBody | undefined): string {
  const member = path.startsWith('seo.') ? `${path.slice('seo.'.length)} ` : '';
  return path === '' ? message : `${namePart(path, type)}: ${member}${message}`;
}
