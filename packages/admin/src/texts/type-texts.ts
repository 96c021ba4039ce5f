import type { ObjectType } from '@galley/wire';

export const TYPE_TEXTS = {
  navigation: 'Content types',
  listTitle: 'Content types',
  listText: 'What kinds of content the site has, and which fields each of them is made of.',
  readOnly: 'Only owners can change these.',
  emptyTitle: 'No content types yet',
  emptyText:
    'A content type says which fields content has, such as a title, a text and a picture. Start with the first.',
  emptyTextEditor: 'An owner can create one.',
  newTitle: 'New content type',
  create: 'Create content type',
  name: 'Name',
  namePlaceholder: 'Article',
  handle: 'Handle',
  handleHelp: 'Front ends name the type by it. It never changes.',
  handleCode: 'handle',
  kind: 'Kind',
  kindHelp: 'It never changes.',
  kinds: { page: 'Page', entry: 'Entry', block: 'Block' } satisfies Record<ObjectType, string>,
  kindTexts: {
    page: 'A page of the site with an address, such as an article or a landing page.',
    entry: 'A record that pages show or link to, such as a topic or an event.',
    block: 'A part that stands inside other content, such as a quotation or a gallery.',
  } satisfies Record<ObjectType, string>,
  fields: 'Fields',
  uriPattern: 'Address pattern',
  uriPatternHelp: 'How the addresses of content are made. {slug}, {id} and {language} are filled in.',
  uriExample: (uri: string) => `For example ${uri}`,
  uriFixed:
    'Without {slug} or {id}, all pages of this type have the same URL. Only one in each language can be published.',
  uriSlug: 'spring-fair',
  uriChange: 'Content that is published keeps its address until it is saved or published again.',
  general: 'General',
  remove: 'Delete content type',
  removeIntro: 'Only a type that nothing uses can be deleted. Its fields go with it.',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: 'The type and its fields are gone for good.',
  removed: (name: string) => `${name} was deleted.`,
  inUse: (name: string, uses: readonly string[]) => `${name} cannot be deleted: ${uses.join('; ')}.`,
  usedByContent: (count: number) =>
    count === 1 ? '1 content object is of this type' : `${count.toLocaleString()} content objects are of this type`,
  usedInContent: (count: number) =>
    count === 1 ? '1 content object has such a block' : `${count.toLocaleString()} content objects have such blocks`,
  usedByField: (field: string, type: string) => `the field ${field} of ${type} allows it`,
} as const;
