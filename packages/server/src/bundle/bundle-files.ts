// The files that come with a bundle. A record gives the path of its file relative to the bundle. The path cannot lead outside the
// bundle's folder: it has no `..`, and no part of it is a symbolic link. So a bundle from elsewhere can bring in only its own files.

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../content/result.ts';
import { hasAtMostCharacters, isPlainText } from '../content/text-rules.ts';

const MOST_PATH_CHARACTERS = 1024;
const DRIVE = /^[A-Za-z]:/;

export const BUNDLE_PATH_RULE = `a path like files/photo.jpg, relative to the bundle, without “.” or “..”, of at most ${MOST_PATH_CHARACTERS} characters`;

export function isBundlePath(text: string): boolean {
  return (
    isPlainText(text) &&
    hasAtMostCharacters(text, MOST_PATH_CHARACTERS) &&
    !text.includes('\\') &&
    !DRIVE.test(text) &&
    text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

/** A picture's size, placeholder and dominant colour. */
export interface Appearance {
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  readonly colour: string | null;
}

/** A file from the bundle, open for reading. */
export interface BundleFile {
  /** The last part of its path. */
  readonly name: string;
  readonly descriptor: number;
  /** The digest as recorded in the bundle; null if the record does not contain it. */
  readonly sha256: string | null;
  /** The record's description of a picture. It is meaningful only together with `sha256`. */
  readonly appearance: Appearance;
  /** Reads the file from the beginning. */
  read(): AsyncIterable<Uint8Array>;
}

/** A file whose bytes are in the store. */
export interface TakenBundleFile extends Appearance, AsyncDisposable {
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
  readonly extension: string;
  readonly fileName: string;
  /** Stores the bytes again if they are gone. The import calls this in its transaction. */
  ensureStored(): Promise<void>;
}

/** Adds files from bundles to the store. */
export interface BundleFiles {
  /** The problem completes a sentence that begins with the path of the file. */
  take(file: BundleFile): Promise<Result<TakenBundleFile, string>>;
  /** Whether the store has these bytes. */
  has(sha256: string): Promise<boolean>;
}

/** The caller must close the file. The problem completes a sentence that begins with the path of the file. */
export async function openBundleFile(folder: string, path: string): Promise<Result<FileHandle, string>> {
  try {
    const found = await findFile(folder, path);
    if (!found.ok) return found;
    const { place, stats } = found.value;
    const handle = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const opened = await handle.stat();
    if (opened.isFile() && opened.ino === stats.ino && opened.dev === stats.dev) return ok(handle);
    await handle.close();
    return fail('changed while it was being read');
  } catch (error) {
    return fail(describeError(error));
  }
}

async function findFile(folder: string, path: string): Promise<Result<{ place: string; stats: Stats }, string>> {
  const segments = path.split('/');
  let place = folder;
  for (const [index, segment] of segments.entries()) {
    place = join(place, segment);
    const stats = await lstat(place);
    const isLast = index === segments.length - 1;
    if (stats.isSymbolicLink()) {
      return fail(
        isLast ? 'is a symbolic link' : `contains the symbolic link ${segments.slice(0, index + 1).join('/')}`,
      );
    }
    if (isLast && stats.isFile()) return ok({ place, stats });
    if (isLast) return fail(stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file');
  }
  return fail('is not a path');
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  ENAMETOOLONG: 'has a name that is too long for this system',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'is a symbolic link',
};

function describeError(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return REASONS[String(error.code)] ?? `cannot be read: ${error.message}`;
}
