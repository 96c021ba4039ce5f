// Texts about doing something to several objects at once.

const objects = (count: number): string => (count === 1 ? '1 object' : `${count.toLocaleString('en')} objects`);

export const BULK_TEXTS = {
  selection: 'Selection',
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  clear: 'Clear selection',
  actions: { publish: 'Publish', unpublish: 'Unpublish', archive: 'Archive', restore: 'Restore' },
  titles: {
    publish: 'Publish the selection',
    unpublish: 'Unpublish the selection',
    archive: 'Archive the selection',
    restore: 'Restore the selection',
  },
  questions: {
    publish: (count: number) => `Readers will see the newest version of ${objects(count)}.`,
    unpublish: (count: number) => `Readers will no longer see ${objects(count)}. Nothing is deleted.`,
    archive: (count: number) =>
      `${objects(count)} will be out of sight, for readers and in the list. They can be restored.`,
    restore: (count: number) => `${objects(count)} will be back as drafts.`,
  },
  leftOut: (count: number) =>
    count === 1
      ? '1 selected object needs nothing and is left out.'
      : `${count} selected objects need nothing and are left out.`,
  dropsSchedules: (count: number) =>
    count === 1 ? 'The schedule of 1 object is dropped.' : `The schedules of ${objects(count)} are dropped.`,
  nothingToDo: 'Nothing in the selection needs this.',
  includeLinked: 'Also what other published content links to',
  includeLinkedHelp: 'Links to it will lead nowhere. Otherwise such content is left as it is.',
  start: (action: string, count: number) => `${action} ${objects(count)}`,
  progress: 'Progress',
  done: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  stop: 'Stop',
  finished: (count: number) => `Done: ${objects(count)}.`,
  stopped: (count: number, left: number) => `Stopped. Done: ${objects(count)}; not begun: ${objects(left)}.`,
  failures: (count: number) => `Not done: ${objects(count)}`,
  urlTaken: (path: string) => `The URL /${path} is already used by`,
  sharedUrls: (count: number) => `Same URL as other pages: ${objects(count)}`,
  tryAgain: 'Try these again',
} as const;
