// Handles an upload from its first byte until it is in the store: receives it, detects its type, applies the site's rules, sanitises it,
// and reads its size and colours. Only the result reaches the store. Memory use does not depend on the size of the file.

import { extname } from 'node:path';
import { fail, ok, type Result } from '../content/result.ts';
import { buildFileName } from '../files/file-name.ts';
import { MOST_FILE_BYTES, type StoredFile } from '../files/file-store.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import { canFindLocation } from '../files/location/remove-location.ts';
import type { FileJob, FileOutcome } from './file-work.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';
import {
  describeDamage,
  describeLargeSvg,
  describeMetadata,
  describePixels,
  describeSlowness,
  describeTooLarge,
  describeType,
  describeUnreadable,
  EMPTY,
  OVERLOADED,
  SLOW,
  STOPPING,
  type UploadProblem,
} from './upload-problem.ts';
import type { UploadTools } from './upload-tools.ts';

/** The files that people may upload to a site. */
export interface UploadRules {
  readonly mostBytes: number;
  /** Media types (`application/pdf`) and media type prefixes (`image/`); null allows all. */
  readonly types: readonly string[] | null;
  readonly mostPixels: number;
  /** Whether pictures and videos keep their location data. */
  readonly keepsLocation: boolean;
}

/** A file in the store. The caller must dispose of this object once the file's record is committed or abandoned. */
export interface TakenFile extends StoredFile, AsyncDisposable {
  /** A MIME type without parameters. */
  readonly type: string;
  /** The extension of the file name, without a dot. */
  readonly extension: string;
  /** A safe URL segment. */
  readonly fileName: string;
  /** The size of the picture as viewers see it; null if the file is not a picture or its size is not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** A ThumbHash in base64. */
  readonly placeholder: string | null;
  /** As `#rrggbb`. */
  readonly colour: string | null;
  /** Stores the file again if it was removed before its record was committed. Call this in the record's transaction. */
  ensureStored(): Promise<void>;
}

/** Sanitising takes up to 0.3 seconds per megabyte, and needs up to 20 times the file's size in memory. */
const MOST_SVG_BYTES = 8 * 1024 ** 2;
const SVG = 'image/svg+xml';
/** The pictures that Galley reads. A damaged picture is refused, because nobody could view it. */
const PICTURES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
]);
/** Whether Galley can read these depends on their compression. Those that it cannot read are stored like any other file. */
const PERHAPS_PICTURES = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']);

/**
 * Reads the source to its end, or closes it early after a problem. If the source throws, so does this function. After a problem or an
 * error, no part of the file is kept.
 * @param name as the user's system sends it: it may be empty, a path, or very long
 */
export async function takeFile(
  tools: UploadTools,
  source: AsyncIterable<Uint8Array>,
  name: string,
  rules: UploadRules,
): Promise<Result<TakenFile, UploadProblem>> {
  const temporary = await openTemporaryFile(tools);
  let isTaken = false;
  try {
    const mostBytes = Math.min(rules.mostBytes, MOST_FILE_BYTES);
    const received = await temporary.receive(source, mostBytes);
    if (received === undefined) return fail(describeTooLarge(mostBytes));
    if (received.bytes === 0) return fail(EMPTY);
    const inspected = await inspect(tools, temporary.path, name, received);
    if (!inspected.ok) return inspected;
    const found = inspected.value;
    if (rules.types !== null && !isAllowedType(found.type, rules.types)) {
      return fail(describeType(found.type, rules.types));
    }
    const contents = await readContents(tools, temporary.path, received, found.type, rules);
    if (!contents.ok) return contents;
    await tools.store.putFile(temporary.path, contents.value.stored);
    isTaken = true;
    return ok(buildTakenFile(tools, temporary, contents.value, found, name));
  } finally {
    if (!isTaken) await temporary[Symbol.asyncDispose]();
  }
}

function isAllowedType(type: string, types: UploadRules['types']): boolean {
  return types === null || types.some((each) => (each.endsWith('/') ? type.startsWith(each) : type === each));
}

async function inspect(
  tools: UploadTools,
  path: string,
  name: string,
  { bytes }: StoredFile,
): Promise<Result<InspectedFile, UploadProblem>> {
  const outcome = await run(tools, { kind: 'inspect', path, name }, bytes);
  if (outcome.kind === 'late') return fail(SLOW);
  if (outcome.kind !== 'inspected') throw new Error(`The thread responded with ${outcome.kind}`);
  return ok(outcome.file);
}

/** Throws the thread's errors, which are bugs or disk faults. */
async function run(
  { thread }: UploadTools,
  job: FileJob,
  bytes: number,
): Promise<Exclude<FileOutcome, { readonly kind: 'failed' }>> {
  const outcome = await thread.do(job, bytes);
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome;
}

type Appearance = Pick<TakenFile, 'width' | 'height' | 'placeholder' | 'colour'>;

interface Contents {
  readonly stored: StoredFile;
  readonly appearance: Appearance;
}

const NO_APPEARANCE: Appearance = Object.freeze({ width: null, height: null, placeholder: null, colour: null });

async function readContents(
  tools: UploadTools,
  path: string,
  received: StoredFile,
  type: string,
  rules: UploadRules,
): Promise<Result<Contents, UploadProblem>> {
  if (type === SVG) return sanitise(tools, path, received);
  const appearance = await inspectPicture(tools, path, type, rules.mostPixels);
  if (!appearance.ok) return appearance;
  const stored = rules.keepsLocation ? ok(received) : await removeLocation(tools, path, received, type);
  return stored.ok ? ok({ stored: stored.value, appearance: appearance.value }) : stored;
}

async function sanitise(
  tools: UploadTools,
  path: string,
  { bytes }: StoredFile,
): Promise<Result<Contents, UploadProblem>> {
  if (bytes > MOST_SVG_BYTES) return fail(describeLargeSvg(bytes, MOST_SVG_BYTES));
  const outcome = await run(tools, { kind: 'sanitise', path }, bytes);
  if (outcome.kind === 'late') return fail(SLOW);
  if (outcome.kind === 'unreadable') return fail(describeUnreadable(SVG, outcome.reason));
  if (outcome.kind !== 'sanitised') throw new Error(`The thread responded with ${outcome.kind}`);
  const { width, height, ...stored } = outcome.svg;
  return ok({ stored, appearance: { ...NO_APPEARANCE, width, height } });
}

async function inspectPicture(
  { images }: UploadTools,
  picture: string,
  type: string,
  mostPixels: number,
): Promise<Result<Appearance, UploadProblem>> {
  const mayBeUnreadable = PERHAPS_PICTURES.has(type);
  if (!PICTURES.has(type) && !mayBeUnreadable) return ok(NO_APPEARANCE);
  const outcome = await images.do({ kind: 'inspect', picture, mostPixels });
  switch (outcome.kind) {
    case 'inspected': {
      const { width, height, placeholder, colour } = outcome.picture;
      return ok({ width, height, placeholder, colour });
    }
    case 'too_many_pixels':
      return fail(describePixels(outcome.pixels, mostPixels));
    case 'overloaded':
      return fail(OVERLOADED);
    case 'closed':
      return fail(STOPPING);
    case 'unreadable':
      return mayBeUnreadable ? ok(NO_APPEARANCE) : fail(describeDamage(type));
    case 'crashed':
      return fail(describeDamage(type));
    case 'late':
      return fail(describeSlowness(type));
    default:
      throw new Error(outcome.kind === 'failed' ? outcome.detail : `The image process responded with ${outcome.kind}`);
  }
}

async function removeLocation(
  tools: UploadTools,
  path: string,
  received: StoredFile,
  type: string,
): Promise<Result<StoredFile, UploadProblem>> {
  if (!canFindLocation(type)) return ok(received);
  const outcome = await run(tools, { kind: 'remove-location', path, type }, received.bytes);
  if (outcome.kind === 'late') return fail(SLOW);
  if (outcome.kind === 'unreadable') return fail(describeMetadata(type, outcome.reason));
  if (outcome.kind !== 'without-location') throw new Error(`The thread responded with ${outcome.kind}`);
  return ok(outcome.file ?? received);
}

function buildTakenFile(
  { store }: UploadTools,
  temporary: TemporaryFile,
  { stored, appearance }: Contents,
  { type, extension }: InspectedFile,
  name: string,
): TakenFile {
  const fileName = buildFileName(name, extension);
  return {
    ...stored,
    type,
    extension: extname(fileName).slice(1),
    fileName,
    ...appearance,
    async ensureStored() {
      if (!(await store.has(stored.sha256))) await store.putFile(temporary.path, stored);
    },
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}
