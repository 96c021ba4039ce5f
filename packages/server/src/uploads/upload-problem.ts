// The reason why a file cannot be uploaded. Each message is for the person who chose the file: it says what is wrong
// and what is allowed.

import type { RemoteProblem } from '../files/fetch-remote.ts';

export type UploadProblemCode =
  | 'empty'
  | 'too_large'
  | 'type_not_allowed'
  | 'too_many_pixels'
  /** The file is damaged, or Galley cannot read it safely. */
  | 'unreadable'
  /** The same upload may succeed later. */
  | 'busy'
  /** Galley could not fetch the file from a web address. */
  | Exclude<RemoteProblem['code'], 'too_large'>;

export interface UploadProblem {
  readonly code: UploadProblemCode;
  readonly message: string;
  /** The values in the message. */
  readonly values: Readonly<Record<string, string | number>>;
}

export const EMPTY: UploadProblem = problem('empty', 'The file is empty. Choose another file.');

export const OVERLOADED: UploadProblem = problem(
  'busy',
  'Galley is reading too many other pictures at the moment. Try again in a minute.',
);

export const STOPPING: UploadProblem = problem('busy', 'The service is stopping. Try again in a minute.');

export function describeTooLarge(mostBytes: number): UploadProblem {
  return problem('too_large', `The file is too large. The limit is ${writeBytes(mostBytes)}.`, {
    limit: mostBytes,
  });
}

export function describeLargeSvg(bytes: number, mostBytes: number): UploadProblem {
  const message = `The SVG file is ${writeBytes(bytes)}. The limit for SVG files is ${writeBytes(mostBytes)}.`;
  return problem('too_large', message, { limit: mostBytes });
}

export function describeType(type: string, types: readonly string[]): UploadProblem {
  const allowed = types.map((each) => KINDS[each] ?? each).join(', ') || 'no files';
  return problem('type_not_allowed', `The file type is ${type}. This site allows only: ${allowed}.`, {
    type,
    allowed: types.join(', '),
  });
}

const KINDS: Readonly<Record<string, string>> = {
  'image/': 'images',
  'audio/': 'audio files',
  'video/': 'videos',
  'text/': 'text files',
  'font/': 'fonts',
};

export function describePixels(pixels: number, mostPixels: number): UploadProblem {
  const message = `The picture has ${writeNumber(pixels)} pixels. At most ${writeNumber(mostPixels)} are allowed.`;
  return problem('too_many_pixels', message, { pixels, limit: mostPixels });
}

export function describeDamage(type: string): UploadProblem {
  const message =
    `The file begins like a picture of type ${type}, but it is damaged or incomplete. ` +
    'Only complete pictures are allowed. Save the picture again in an image editor, or choose another file.';
  return problem('unreadable', message, { type });
}

/** @param reason a sentence */
export function describeMetadata(type: string, reason: string): UploadProblem {
  const message = `${reason} Save it again in another program, or choose another file.`;
  return problem('unreadable', message, { type });
}

export function describeSlowness(type: string): UploadProblem {
  const message =
    'Reading the picture took too long. Only pictures that Galley can read within a few seconds are allowed. ' +
    'Save the picture again in an image editor, or choose a smaller one.';
  return problem('unreadable', message, { type });
}

/** For any type of file that the service itself reads. */
export const SLOW: UploadProblem = problem(
  'unreadable',
  'Reading the file took too long. Save it again in another program, or choose another file.',
);

/** @param reason a sentence */
export function describeUnreadable(type: string, reason: string): UploadProblem {
  return problem('unreadable', `${reason} Only valid SVG files in UTF-8 are allowed.`, { type });
}

export function describeRemote({ code, message }: RemoteProblem, mostBytes: number): UploadProblem {
  return code === 'too_large' ? describeTooLarge(mostBytes) : problem(code, message);
}

function problem(code: UploadProblemCode, message: string, values: UploadProblem['values'] = {}): UploadProblem {
  return Object.freeze({ code, message, values });
}

const UNITS = [
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const;

/**
 * Uses the largest unit that gives a whole number, because a rounded limit could appear smaller than a file that is allowed.
 */
function writeBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${writeNumber(bytes / size)} ${unit}`;
}

function writeNumber(value: number): string {
  return value.toLocaleString('en');
}
