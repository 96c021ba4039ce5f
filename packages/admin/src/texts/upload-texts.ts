// Text for uploading files.

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

interface Outcome {
  readonly done: number;
  readonly duplicates: number;
  readonly failed: number;
  readonly cancelled: number;
}

export const UPLOAD_TEXTS = {
  title: 'Uploads',
  upload: 'Upload files',
  uploadTo: (field: string) => `Upload files to ${field}`,
  uploading: (done: number, total: number) =>
    `Uploading ${Math.min(done + 1, total).toLocaleString('en')} of ${files(total)}`,
  outcome: ({ done, duplicates, failed, cancelled }: Outcome): string => {
    const parts = [
      ...(done === 0 ? [] : [`${files(done)} uploaded`]),
      ...(duplicates === 0 ? [] : [`${duplicates.toLocaleString('en')} already in the library`]),
      ...(failed === 0 ? [] : [`${failed.toLocaleString('en')} failed`]),
      ...(cancelled === 0 ? [] : [`${cancelled.toLocaleString('en')} cancelled`]),
    ];
    return parts.join(', ');
  },
  collapse: 'Hide the list of uploads',
  expand: 'Show the list of uploads',
  clear: 'Close',
  cancelAll: 'Cancel all',
  cancel: 'Cancel',
  cancelOf: (name: string) => `Cancel ${name}`,
  retry: 'Try again',
  retryOf: (name: string) => `Try ${name} again`,
  openOf: (name: string) => `Open ${name}`,
  progressOf: (name: string) => `Upload of ${name}`,
  totalProgress: 'All uploads',
  percent: (percent: number) => `${percent}%`,
  processing: 'Processing',
  done: 'Uploaded',
  cancelled: 'Cancelled',
  duplicate: (name: string) => `Already in the library as “${name}”.`,
  takeExisting: 'Use the existing file',
  existingOf: (name: string) => `Use the existing file instead of ${name}`,
  addAnyway: 'Add anyway',
  addAnywayOf: (name: string) => `Add anyway: ${name}`,
  connectionLost: 'The connection was lost. Check your network, then try again.',
  dropHere: 'Drop files to upload them',
  dropInto: (folder: string) => `Drop files to upload them to ${folder}`,
  dropToReplace: 'Drop a file to replace this one',
  dropInText: 'Drop files to add them to the text',
  dropInField: (name: string) => `Drop files to add them to ${name}`,
  notAllowed: (names: readonly string[], field: string) =>
    `${field} does not allow ${new Intl.ListFormat('en').format(names.map((name) => `“${name}”`))}.`,
  notAdded: (name: string, field: string) =>
    `“${name}” was uploaded, but not added to ${field}, because you left the page. You can add it from the library.`,
  oneFile: 'Drop only one file here.',
  screenshot: (day: string, time: string) => `Screenshot ${day} at ${time}`,
} as const;
