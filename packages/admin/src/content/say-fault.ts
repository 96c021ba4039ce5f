// Describes errors in content, using the labels that editors see.

import type { FailedScheduleBody, ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import type { Fault } from '../api/api-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { nameMember, sayFault } from '../texts/fault-texts.ts';
import { TAB_TEXTS } from '../texts/tab-texts.ts';

const PARTS: Readonly<Record<string, string>> = EDITOR_TEXTS.parts;
const SEO_LABELS: Readonly<Record<string, string>> = TAB_TEXTS.seoLabels;

/**
 * A one-line description of an error, with the name of the affected part.
 * @param handle the content's type
 * @param types all of the site's content types, including blocks
 */
export function describeFault(fault: Fault, handle: string, types: readonly ManagedTypeBody[]): string {
  if (fault.path === '') return sayFault(fault);
  const type = types.find((each) => each.handle === handle);
  const { places, label } = locate(fault.path, type, types);
  const said = sayContentFault(fault, label, types);
  return [...places, said.startsWith(label) ? said : `${label}: ${said}`].join(': ');
}

/**
 * Why a schedule failed, one line per reason. The service's own message contains field paths, so it is not shown.
 * @param handle the content's type
 */
export function describeFailure(
  { action, errors }: Pick<FailedScheduleBody, 'action'> & { readonly errors: readonly Fault[] },
  handle: string,
  types: readonly ManagedTypeBody[],
): readonly string[] {
  if (errors.length === 0) return [EDITOR_TEXTS.failedSchedule.unexplained[action]];
  return errors.map((error) => describeFault(error, handle, types));
}

/** An error in content, as a sentence to show below the input with this label. */
export function sayContentFault(fault: Fault, label: string, types: readonly ManagedTypeBody[]): string {
  const { path, values } = fault;
  // In errors about links and blocks, the value may be the handle of a type that is not allowed.
  const isOfType = /\.(content_links|blocks)\[\d+\](\.content_type)?$/.test(path);
  const type = isOfType ? types.find(({ handle }) => handle === values?.value) : undefined;
  return sayFault(type === undefined ? fault : { ...fault, values: { ...values, value: type.name } }, label);
}

/** The name of the part that a path points to. For `fields.title.text`, the field's name. */
export function namePart(path: string, type: ManagedTypeBody | undefined): string {
  const [first = '', handle = ''] = path.split(/[.[]/);
  if (first !== 'fields' || handle === '') return PARTS[first] ?? path;
  return nameField(handle, type?.fields ?? []);
}

/** The label of an input on the SEO tab. @param path such as `seo.open_graph.title` */
export function nameSeoField(path: string): string {
  return SEO_LABELS[path] ?? nameMember(path);
}

interface LocatedPart {
  /** The places that contain the part, outermost first, such as `Sections, block 2`. */
  readonly places: readonly string[];
  readonly label: string;
}

function locate(path: string, type: ManagedTypeBody | undefined, types: readonly ManagedTypeBody[]): LocatedPart {
  if (path.startsWith('seo.')) return { places: [EDITOR_TEXTS.parts.seo], label: nameSeoField(path) };
  const [, inFields] = /^fields\.(.+)$/.exec(path) ?? [];
  if (inFields === undefined) return { places: [], label: namePart(path, type) };
  return locateField(inFields, type?.fields ?? [], types);
}

/** @param path such as `title.text` or `sections.blocks[1].fields.words` */
function locateField(
  path: string,
  fields: readonly ManagedFieldBody[],
  types: readonly ManagedTypeBody[],
): LocatedPart {
  const [, handle = path, index, inBlock] = /^(\w+)(?:\.blocks\[(\d+)\]\.fields\.(.+))?/.exec(path) ?? [];
  const label = nameField(handle, fields);
  if (inBlock === undefined) return { places: [], label };
  // The path does not contain the block's type.
  const possible = types.filter(({ object_type: kind }) => kind === 'block').flatMap((type) => type.fields);
  const inside = locateField(inBlock, possible, types);
  return { ...inside, places: [EDITOR_TEXTS.blockIn(label, Number(index) + 1), ...inside.places] };
}

/** The name of the field with this handle. Fields in different block types may have the same handle but different names. */
function nameField(handle: string, fields: readonly ManagedFieldBody[]): string {
  const names = fields.filter((field) => field.handle === handle).map(({ name }) => name);
  return [...new Set(names)].join(' / ') || handle;
}
