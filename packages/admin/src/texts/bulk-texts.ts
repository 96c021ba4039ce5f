// Texts about changing several objects at once.

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
    publish: (count: number) => `Readers will see the latest version of ${objects(count)}.`,
    unpublish: (count: number) => `Readers will no longer see ${objects(count)}. Nothing is deleted.`,
    archive: (count: number) =>
      `${objects(count)} will be hidden from readers and from this list. You can restore them later.`,
    restore: (count: number) => `${objects(count)} will be restored as drafts.`,
  },
  leftOut: (count: number) =>
    count === 1
      ? '1 selected object is skipped because nothing would change.'
      : `${count} selected objects are skipped because nothing would change.`,
  dropsSchedules: (count: number) =>
    count === 1
      ? 'The schedule of 1 object will be cancelled.'
      : `The schedules of ${objects(count)} will be cancelled.`,
  nothingToDo: 'Nothing to do for this selection.',
  includeLinked: 'Include content that other published content links to',
  includeLinkedHelp: 'Links to it will stop working. If you do not include it, it is skipped.',
  start: (action: string, count: number) => `${action} ${objects(count)}`,
  progress: 'Progress',
  done: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  stop: 'Stop',
  finished: (count: number) => `${objects(count)} done.`,
  stopped: (count: number, left: number) => `Stopped. ${objects(count)} done, ${objects(left)} not started.`,
  failures: (count: number) => `${objects(count)} not done`,
  urlTaken: (path: string) => `The URL /${path} is already used by`,
  sharedUrls: (count: number) => `Same URL as other pages: ${objects(count)}`,
  tryAgain: 'Try these again',
} as const;
