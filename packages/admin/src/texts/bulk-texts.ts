// Text for bulk actions on content.

const items = (count: number): string => (count === 1 ? '1 item' : `${count.toLocaleString('en')} items`);

const DONE = { publish: 'published', unpublish: 'unpublished', archive: 'archived', restore: 'restored' } as const;

export const BULK_TEXTS = {
  selection: 'Selection',
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  clear: 'Clear selection',
  actions: { publish: 'Publish', unpublish: 'Unpublish', archive: 'Archive', restore: 'Restore' },
  titles: {
    publish: 'Publish selected items',
    unpublish: 'Unpublish selected items',
    archive: 'Archive selected items',
    restore: 'Restore selected items',
  },
  questions: {
    publish: (count: number) => `Readers will see the latest version of ${items(count)}.`,
    unpublish: (count: number) => `Readers will no longer see ${items(count)}. Nothing will be deleted.`,
    archive: (count: number) =>
      `${items(count)} will be hidden from readers and from this list. You can restore archived items later.`,
    restore: (count: number) => `${items(count)} will be restored as drafts.`,
  },
  leftOut: (count: number) =>
    count === 1
      ? '1 selected item will be skipped because it would not change.'
      : `${count} selected items will be skipped because they would not change.`,
  dropsSchedules: (count: number) =>
    count === 1 ? 'The schedule for 1 item will be cancelled.' : `The schedules for ${items(count)} will be cancelled.`,
  nothingToDo: 'Nothing to do for this selection.',
  includeLinked: 'Include pages that other published pages link to',
  includeLinkedHelp: 'Links to them will stop working. If you do not include them, they will stay as they are.',
  start: (action: string, count: number) => `${action} ${items(count)}`,
  progress: 'Progress',
  done: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  stop: 'Stop',
  /** @param failed the number of items that the service refused @param left the number that were not started */
  outcome: (action: keyof typeof DONE, { done, failed, left }: Record<'done' | 'failed' | 'left', number>) => {
    const counts = [
      `${done.toLocaleString('en')} ${DONE[action]}`,
      ...(failed === 0 ? [] : [`${failed.toLocaleString('en')} not ${DONE[action]}`]),
      ...(left === 0 ? [] : [`${left.toLocaleString('en')} not started`]),
    ].join(', ');
    return left === 0 ? counts : `Stopped. ${counts}`;
  },
  failures: (action: keyof typeof DONE) => `Not ${DONE[action]}`,
  urlTaken: (path: string) => `The URL /${path} is already used by`,
  sharedUrls: 'Published with the same URL as other pages',
  /** @param language the page's language, if it is a different one */
  sharedWith: (page: string, language: string | undefined) =>
    language === undefined ? `Same URL as “${page}”` : `Same URL as “${page}” (${language})`,
  tryAgain: 'Try these again',
} as const;
