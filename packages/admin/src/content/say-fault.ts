// Describes errors in content, using the labels that editors see.

import type { ManagedTypeBody } from '@galley/wire';
import type { Fault } from '../api/api-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { sayFault } from '../texts/fault-texts.ts';

/** The error in one part of the content, as a sentence to show below its input. */
export function findFault(faults: readonly Fault[], path: string, label: string): string | undefined {
  const fault = faults.find((each) => each.path === path);
  return fault && sayFault(fault, label);
}

/** A one-line description of an error, with the name of the affected part. */
export function describeFault(fault: Fault, type: ManagedTypeBody | undefined): string {
  const { path } = fault;
  if (path === '') return sayFault(fault);
  const part = namePart(path, type);
  const isInBlock = path.includes('].fields.');
  const label = path.startsWith('seo.') ? `${part}: ${path.slice('seo.'.length)}` : part;
  const said = sayFault(fault, isInBlock ? EDITOR_TEXTS.fieldOfBlock : label);
  return said.startsWith(label) ? said : `${label}: ${said}`;
}

/** The name of the part that a path points to. For `fields.title.text`, the field's name. */
export function namePart(path: string, type: ManagedTypeBody | undefined): string {
  const names: Readonly<Record<string, string>> = EDITOR_TEXTS.parts;
  const [first = '', handle = ''] = path.split(/[.[]/);
  if (first !== 'fields' || handle === '') return names[first] ?? path;
  return type?.fields.find((field) => field.handle === handle)?.name ?? handle;
}
