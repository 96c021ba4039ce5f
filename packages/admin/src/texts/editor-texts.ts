export const EDITOR_TEXTS = {
  tabList: 'Views of this content',
  tabs: { edit: 'Edit', languages: 'Languages', seo: 'SEO', history: 'History', links: 'Links', api: 'API' },
  form: 'Content',
  unnamed: 'Unnamed',
  name: 'Name',
  slug: 'Slug',
  addressOf: (address: string) => `URL: ${address}`,
  slugFollows: 'Updated to match the name until you publish.',
  author: 'Author',
  noAuthor: 'No author',
  contentType: 'Type',
  language: 'Language',
  version: 'Version',
  lastSaved: 'Saved',
  savedBy: 'Saved by',
  publishedAt: 'Published',
  id: 'ID',
  contentId: 'content ID',
  statusBar: 'Status',
  saveStates: {
    saved: 'Saved',
    changed: 'Not saved yet',
    saving: 'Saving',
    offline: 'Offline: changes kept on this device',
    failing: 'Not saved yet: kept on this device, retrying',
    refused: 'Not saved: see the marked fields',
    contested: 'Not saved yet: choose what to keep',
  },
  savedExcept: (parts: readonly string[]) => `Saved, except ${new Intl.ListFormat('en').format(parts)}`,
  removedHtml: 'the HTML that was removed',
  savedCorrected: 'Saved with corrected HTML',
  notKept: 'Not saved, and this device is out of space: do not close this page',
  save: 'Save',
  publish: 'Publish',
  publishChanges: 'Publish changes',
  nothingToPublish: 'No changes to publish',
  isCurrent: 'There are no changes to publish. Readers already see this version.',
  notPublished: 'Not published.',
  notSaved: 'Not saved.',
  whileOffline: 'You are offline. Your changes are kept on this device. Try again when you are back online.',
  whileFailing: 'The service is having problems. Your changes are kept on this device. Try again in a moment.',
  unreachable: 'The service cannot be reached. Nothing was changed. Try again when you are back online.',
  publishHint: 'Ctrl or ⌘ + Enter',
  wasPublished: (name: string) => `“${name}” was published.`,
  viewPage: 'View page',
  publishes: 'Will be published on',
  unpublishes: 'Will be unpublished on',
  failedSchedule: {
    titles: {
      publish: 'Could not be published as scheduled on',
      unpublish: 'Could not be unpublished as scheduled on',
    },
    solved: 'These problems have been fixed. Publish now or schedule again.',
    /** Used when the service reports no errors in the content. */
    unexplained: {
      publish: 'Galley could not publish this content. Try to publish it now.',
      unpublish: 'Galley could not unpublish this content. Try to unpublish it now.',
    },
    again: 'Schedule again',
    dismiss: 'Dismiss',
  },
  moreActions: 'More actions',
  wasDuplicated: (name: string) => `“${name}” was created as a draft.`,
  unpublish: 'Unpublish',
  archive: 'Archive',
  restore: 'Restore as a draft',
  removeContent: 'Delete for good',
  removeTitle: (name: string) => `Delete “${name}” for good?`,
  removeText:
    'This will delete the content and its entire history. Links to it will stop working. This cannot be undone.',
  removed: (name: string) => `“${name}” was deleted.`,
  withdrawals: {
    unpublish: {
      title: 'Unpublish',
      anyway: 'Unpublish anyway?',
      text: (name: string) =>
        `Readers will no longer see “${name}”, and its schedule will be cancelled. The content will stay here.`,
    },
    archive: {
      title: 'Archive',
      anyway: 'Archive anyway?',
      text: (name: string) =>
        `“${name}” will be hidden from readers and previews, and other content will be able to use its slug. You can restore it later.`,
    },
  },
  discard: 'Discard changes',
  discardTitle: 'Discard changes?',
  discardText: 'This will restore the published version. Your changes will stay in the history.',
  discardUnsaved: 'Changes that could not be saved will be lost.',
  discardSchedule: (time: string) => `The publication scheduled for ${time} will be cancelled.`,
  wasDiscarded: 'Changes discarded.',
  notSavedFirst: 'Some of your changes could not be saved, so the action was cancelled.',
  refusedElsewhere: 'Not saved yet:',
  faultsElsewhere: 'Before you can publish:',
  blockIn: (field: string, place: number) => `${field}, block ${place}`,
  leaveText: 'Your changes are not saved, and this device is out of space.',
  wasRestored: 'Your unsaved changes were restored.',
  dropRestored: 'Go back to the saved version',
  wasMerged: (who: string) =>
    `${who} changed other parts of this content while you were writing. Their changes are included here.`,
  wasSanitised: (part: string, removed: readonly string[]) =>
    `Removed from ${part} (not allowed): ${removed.join(', ')}.`,
  wasLeftOut: (parts: string) => `These fields no longer exist, so their values were left out: ${parts}.`,
  urlTakenBy: 'Not published. This URL belongs to the page',
  urlTakenHelp: 'Choose a different slug, change the type’s URL pattern, or unpublish that page first.',
  urlShared: 'Published. These published pages have the same URL:',
  inLanguage: (language: string) => `(${language})`,
  anImport: 'An import',
  contested: (who: string, parts: readonly string[]) =>
    `Not saved yet: ${who} also changed ${new Intl.ListFormat('en').format(parts)}`,
  showContest: 'Choose what to keep',
  contestTitle: (who: string) => `${who} changed the same parts as you`,
  contestText: (version: number) =>
    `They saved version ${version}. Choose what to keep. Their version stays in the history. Yours will be lost if you take theirs.`,
  mine: 'Yours',
  theirs: 'Theirs',
  empty: 'Empty',
  settle: 'Save this choice',
  keepMine: 'Keep all of mine',
  takeTheirs: 'Take all of theirs',
  parts: { name: 'Name', slug: 'Slug', uri: 'URL', author: 'Author', seo: 'SEO', fields: 'All fields together' },
  noFields: 'This content type has no fields yet.',
  inZone: (zone: string) => `Your time zone: ${zone}`,
  unfinishedDate: 'Enter a complete date and time. The previous value is kept until you do.',
  switchedOn: 'Yes',
  switchedOff: 'No',
  chooseOption: 'Choose',
  noOption: 'None',
  clearOf: (name: string) => `Clear ${name}`,
  count: (length: number, most: number) => `${length} / ${most}`,
  markdown: 'Markdown',
  marks: {
    bold: 'Bold',
    italic: 'Italic',
    heading: 'Heading',
    link: 'Link',
    list: 'List',
    quote: 'Quotation',
    code: 'Code',
  },
  viewOf: (name: string) => `View for ${name}`,
  views: { write: 'Write', preview: 'Preview' },
  previewOf: (name: string) => `Preview of ${name}`,
  previewEmpty: 'Nothing to preview yet.',
  toSource: 'Edit as HTML',
  toSourceOf: (name: string) => `Edit as HTML: ${name}`,
  toVisual: 'Edit visually',
  toVisualOf: (name: string) => `Edit visually: ${name}`,
  htmlBlock: 'HTML',
  pictureBlock: 'Picture',
  htmlBlockEdit: 'Edit HTML',
  htmlBlockDone: 'Done',
  htmlBlockRemove: 'Remove HTML block',
  htmlBlockSource: 'HTML of this block',
  notPasted: describeNotPasted,
  richText: {
    boldControlLabel: 'Bold',
    italicControlLabel: 'Italic',
    linkControlLabel: 'Link',
    codeControlLabel: 'Code',
    h2ControlLabel: 'Heading 2',
    h3ControlLabel: 'Heading 3',
    bulletListControlLabel: 'Bullet list',
    orderedListControlLabel: 'Numbered list',
    blockquoteControlLabel: 'Quotation',
    undoControlLabel: 'Undo',
    redoControlLabel: 'Redo',
    linkEditorInputLabel: 'URL',
    linkEditorInputPlaceholder: 'https://example.com/',
    linkEditorExternalLink: 'Opens in a new tab',
    linkEditorInternalLink: 'Opens in the same tab',
    linkEditorSave: 'Save',
  },
  addItem: 'Add item',
  addItemTo: (name: string) => `Add item to ${name}`,
  itemOf: (name: string, place: number) => `${name} ${place}`,
  addBlock: 'Add block',
  addBlockTo: (name: string) => `Add block to ${name}`,
  blockOf: (name: string, place: number) => `${name} ${place}`,
  unknownBlock: (handle: string) => `The block type ${handle} no longer exists. Remove this block to save.`,
  faultCount: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  addAssets: 'Add assets',
  addAssetsTo: (name: string) => `Add assets to ${name}`,
  searchAssets: 'Search assets',
  addLinks: 'Add links',
  addLinksTo: (name: string) => `Add links to ${name}`,
  searchContent: 'Search content by name',
  nothingFound: 'Nothing found.',
  addChosen: (count: number) => (count === 0 ? 'Add' : `Add ${count}`),
  gone: { asset: 'This asset no longer exists.', content: 'This content no longer exists.' },
  notLoaded: { asset: 'This asset could not be loaded.', content: 'This content could not be loaded.' },
  typeAndLanguage: (type: string, language: string) => `${type} · ${language}`,
  actionsOf: (name: string) => `Actions for ${name}`,
  duplicate: 'Duplicate',
  remove: 'Remove',
  wasRemoved: (name: string) => `“${name}” was removed.`,
  undo: 'Undo',
} as const;

interface NotPasted {
  readonly pictures: number;
  readonly embeds: number;
  readonly comments: number;
  readonly controls: number;
  readonly links: number;
  readonly scripts: number;
  readonly lines: number;
}

/** Undefined if everything was pasted. */
function describeNotPasted(losses: NotPasted): string | undefined {
  const { pictures, embeds, comments, controls, links, scripts, lines } = losses;
  const parts = [
    countOf(pictures, 'picture', 'pictures'),
    countOf(embeds, 'video or embed', 'videos or embeds'),
    countOf(comments, 'comment', 'comments'),
    countOf(controls, 'button or form field', 'buttons or form fields'),
    countOf(links, 'link', 'links'),
  ].filter((part) => part !== undefined);
  const asNormal = [
    ...(scripts === 0 ? [] : ['Superscript and subscript were pasted as normal text.']),
    ...(lines === 0 ? [] : ['Underlined and struck-through text was pasted as normal text.']),
  ];
  if (parts.length === 0) return asNormal.length === 0 ? undefined : asNormal.join(' ');
  const isOne = pictures + embeds + comments + controls + links === 1;
  const help = [
    ...(pictures === 0 ? [] : [`Drop the ${pictures === 1 ? 'picture' : 'pictures'} into the text instead.`]),
    ...(links === 0 ? [] : [`The text of the ${links === 1 ? 'link' : 'links'} was kept.`]),
  ];
  return [
    `${new Intl.ListFormat('en').format(parts)} ${isOne ? 'was' : 'were'} not pasted.`,
    ...help,
    ...asNormal,
  ].join(' ');
}

function countOf(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`;
}
