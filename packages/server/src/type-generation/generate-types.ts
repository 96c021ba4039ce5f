// Generates TypeScript types for a site's content: an interface for each content type, named after its handle. The output depends
// only on the catalog, not on the order in which its types were created.

import { buildReaderCatalog, type Catalog } from '../content/catalog.ts';
import type { ContentType, Field, FieldType } from '../content/field.ts';
import { COMMON_TYPES } from './common-types.ts';

type Names = ReadonlyMap<string, string>;

/** The types in a site that fields can refer to. */
interface Scope {
  readonly names: Names;
  readonly contents: readonly ContentType[];
  readonly blocks: readonly ContentType[];
}

/** Part of the first line. A file that contains this text may be replaced by later runs. */
export const GENERATED_MARK = 'written by `galley types`';

/** The field types that use null for a missing value. The others use false or an empty array. */
const NULLABLE: readonly FieldType[] = ['text', 'number', 'date', 'option'];
const PLAIN_TEXT = /^[\w .-]*$/;

export function generateTypes(catalog: Catalog): string {
  const { site } = catalog;
  const types = buildReaderCatalog(catalog).types.toSorted((one, other) => (one.handle < other.handle ? -1 : 1));
  const scope: Scope = {
    names: nameTypes(types.map((type) => type.handle)),
    contents: types.filter((type) => type.objectType !== 'block'),
    blocks: types.filter((type) => type.objectType === 'block'),
  };
  return [
    `// The content of ${toLine(site.name)} (${site.id}), ${GENERATED_MARK}. Run it again when content types change.\n`,
    ...scope.contents.map((type) => generateType(type, scope)),
    ...scope.blocks.map((type) => generateType(type, scope)),
    generateMap('ContentTypes', 'The pages and entries of the site, by handle.', scope.contents, scope),
    generateMap('PreviewTypes', 'The same types for previews.', scope.contents, scope, '<GalleyPreview>'),
    generateMap('BlockTypes', 'The blocks of the site, by handle.', scope.blocks, scope),
    'export type AnyContent = ContentTypes[keyof ContentTypes];\n',
    generateUnion('AnyLinked', scope.contents, nameLinked, scope),
    generateUnion('AnyBlock', scope.blocks, nameBlock, scope),
    generateSite(site.languages),
    COMMON_TYPES,
  ].join('\n');
}

function generateType(type: ContentType, scope: Scope): string {
  const { handle, objectType } = type;
  const base = objectType === 'block' ? 'GalleyBlock' : 'GalleyContent';
  // Compilers that report unused parameters ignore names that start with an underscore.
  const parameter = type.fields.some((field) => dependsOnPlace(field, scope)) ? 'In' : '_In';
  return [
    `/** ${toLine(type.name)} */`,
    `export interface ${nameOf(handle, scope)}<${parameter} extends GalleyPlace = 'object'> extends ${base} {`,
    `  readonly content_type: GalleyContentType<'${handle}', '${objectType}'>;`,
    '  readonly fields: {',
    ...type.fields.flatMap((field) => [
      `    /** ${toLine([field.name, field.helpText ?? ''].join(' · ').replace(/ · $/, ''))} */`,
      `    readonly ${field.handle}: ${generateField(field, scope)};`,
    ]),
    '  };',
    '}\n',
  ].join('\n');
}

/** Links are plain ids inside linked content and its blocks. In previews, required values may be missing. */
function dependsOnPlace(field: Field, scope: Scope): boolean {
  if (field.type === 'blocks') return generateBlocks(field, scope) !== 'never';
  return field.type === 'content_links' || (field.isRequired && NULLABLE.includes(field.type));
}

function generateField(field: Field, scope: Scope): string {
  const handle = `'${field.handle}'`;
  const missing = field.isRequired ? ', GalleyMissing<In>' : '';
  switch (field.type) {
    case 'text':
      return `GalleyTextField<${handle}${missing}>`;
    case 'number':
      return `GalleyNumberField<${handle}${missing}>`;
    case 'boolean':
      return `GalleyBooleanField<${handle}>`;
    case 'date':
      return `GalleyDateField<${handle}${missing}>`;
    case 'list':
      return `GalleyListField<${handle}>`;
    case 'assets':
      return `GalleyAssetsField<${handle}>`;
    case 'option':
      return `GalleyOptionField<${handle}, ${toUnion((field.settings.options ?? []).map(({ value }) => toLiteral(value)))}${missing}>`;
    case 'blocks':
      return `GalleyBlocksField<${handle}, ${generateBlocks(field, scope)}>`;
    case 'content_links':
      return `GalleyLinksField<${handle}, In, ${generateLinked(field, scope)}>`;
  }
}

/** Without a restriction, every block type is allowed. */
function generateBlocks({ settings }: Field, scope: Scope): string {
  if (settings.allowed_types === undefined) return scope.blocks.length === 0 ? 'never' : 'AnyBlock<In>';
  return toUnion(findAllowed(settings.allowed_types, scope.blocks).map((type) => nameBlock(type, scope)));
}

function generateLinked({ settings }: Field, scope: Scope): string {
  if (settings.allowed_types === undefined) return 'AnyLinked<In>';
  return toUnion(findAllowed(settings.allowed_types, scope.contents).map((type) => nameLinked(type, scope)));
}

function findAllowed(allowed: readonly string[], types: readonly ContentType[]): readonly ContentType[] {
  return types.filter((type) => allowed.includes(type.handle));
}

function nameBlock({ handle }: ContentType, scope: Scope): string {
  return `${nameOf(handle, scope)}<In>`;
}

function nameLinked({ handle }: ContentType, scope: Scope): string {
  return `GalleyLinkedContent<${nameOf(handle, scope)}<GalleyPlaces[In]['linked']>>`;
}

/** @param argument the type argument for each type, if it is not the default */
function generateMap(
  name: string,
  comment: string,
  types: readonly ContentType[],
  scope: Scope,
  argument = '',
): string {
  const members = types.map(({ handle }) => `  readonly ${handle}: ${nameOf(handle, scope)}${argument};`);
  return [`/** ${comment} */`, `export interface ${name} {`, ...members, '}\n'].join('\n');
}

function generateUnion(
  name: string,
  types: readonly ContentType[],
  nameType: (type: ContentType, scope: Scope) => string,
  scope: Scope,
): string {
  const parameter = types.length === 0 ? '_In' : 'In';
  const union = toUnion(types.map((type) => nameType(type, scope)));
  return `export type ${name}<${parameter} extends GalleyPlace = 'object'> = ${union};\n`;
}

function generateSite(languages: readonly string[]): string {
  return [
    '/** The types that a client for the site needs, for `createClient<Site>()` in `@galley/client`. */',
    'export interface Site {',
    '  readonly contentTypes: ContentTypes;',
    '  readonly previewTypes: PreviewTypes;',
    `  readonly languages: ${toUnion(languages.map(toLiteral))};`,
    '}\n',
  ].join('\n');
}

function nameOf(handle: string, { names }: Scope): string {
  const name = names.get(handle);
  if (name === undefined) throw new Error(`There is no name for the type ${handle}`);
  return name;
}

function toUnion(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.join(' | ');
}

/** TypeScript reads JSON escapes the same way. */
function toLiteral(text: string): string {
  return PLAIN_TEXT.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** Formats user-supplied text for a comment: on one line, with any end-of-comment marker escaped. */
function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
}

/** Names that the generated file itself declares or uses for something else. */
const RESERVED: readonly string[] = [
  'ContentTypes',
  'BlockTypes',
  'PreviewTypes',
  'AnyContent',
  'AnyLinked',
  'AnyBlock',
  'OfType',
  'Site',
  'Extract',
  'In',
];
/** Types that all sites have in common start with this prefix. */
const COMMON_NAME = /^Galley(?:[A-Z]|$)/;

/**
 * Turns handles into unique names in PascalCase, avoiding names that the file itself needs.
 * @param handles if several would have the same name, the first one keeps it unchanged
 */
export function nameTypes(handles: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(RESERVED);
  for (const handle of handles) {
    const words = handle.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    let name = words.join('');
    if (isTaken(name, taken)) name = words.join('_');
    while (isTaken(name, taken)) name += '_';
    taken.add(name);
    names.set(handle, name);
  }
  return names;
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  return taken.has(name) || COMMON_NAME.test(name);
}
