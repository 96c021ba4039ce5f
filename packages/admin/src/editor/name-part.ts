import type { ManagedTypeBody } from '@galley/wire';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';

/** What people call the part of content that a path leads into: `fields.title.text` is the field's name, `fields` all of them. */
export function namePart(path: string, type: ManagedTypeBody | undefined): string {
  const names: Readonly<Record<string, string>> = EDITOR_TEXTS.parts;
  const [first = '', handle = ''] = path.split(/[.[]/);
  if (first !== 'fields' || handle === '') return names[first] ?? path;
  return type?.fields.find((field) => field.handle === handle)?.name ?? handle;
}
