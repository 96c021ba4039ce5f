// Puts the service's messages about invalid content into plain words.

import type { ManagedTypeBody } from '@galley/wire';
import type { Fault } from '../api/api-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';

const { faults: texts } = EDITOR_TEXTS;

const KNOWN: readonly (readonly [RegExp, (label: string) => string])[] = [
  [/^is required and has no value$/, texts.isEmpty],
  [/^must be 1 to \d+ characters that are not all blank, got (""|"\s+"|nothing)$/, texts.isEmpty],
  [/^is taken by content \S+, of the same type and language$/, texts.isTaken],
  [/^must be 1 to \d+ characters without whitespace, control characters and/, texts.isNoSlug],
];

/** A sentence about an input. @param label what it is called */
export function sayFault(message: string, label: string): string {
  return findText(message, label) ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** What is wrong with a part, as a sentence. */
export function findFault(faults: readonly Fault[], path: string, label: string): string | undefined {
  const fault = faults.find((each) => each.path === path);
  return fault && sayFault(fault.message, label);
}

/** A fault in one line, with the name of the part of the content that it is about. */
export function describeFault({ path, message }: Fault, type: ManagedTypeBody | undefined): string {
  if (path === '') return message;
  const part = namePart(path, type);
  if (path.includes('].fields.')) return `${part}: ${findText(message, texts.aField) ?? message}`;
  const member = path.startsWith('seo.') ? `${path.slice('seo.'.length)} ` : '';
  return findText(message, part) ?? `${part}: ${member}${message}`;
}

/** The name of the part that a path leads into: the name of the field for `fields.title.text`. */
export function namePart(path: string, type: ManagedTypeBody | undefined): string {
  const names: Readonly<Record<string, string>> = EDITOR_TEXTS.parts;
  const [first = '', handle = ''] = path.split(/[.[]/);
  if (first !== 'fields' || handle === '') return names[first] ?? path;
  return type?.fields.find((field) => field.handle === handle)?.name ?? handle;
}

function findText(message: string, label: string): string | undefined {
  const [, text] = KNOWN.find(([pattern]) => pattern.test(message)) ?? [];
  return text?.(label);
}
