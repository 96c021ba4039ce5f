// Turns file system errors into errors that name the folder and the reason.

import { FileStoreError, type FileStoreErrorCode } from './file-store.ts';

/** Returns undefined if the file does not exist. */
export async function ignoreMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function readCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const ERRORS: Readonly<Record<string, readonly [FileStoreErrorCode, string]>> = {
  EACCES: ['forbidden', 'Galley does not have permission to use the folder'],
  EPERM: ['forbidden', 'Galley does not have permission to use the folder'],
  EROFS: ['forbidden', 'The file system is read-only'],
  ENOENT: ['missing', 'The folder does not exist'],
  ENOTDIR: ['missing', 'The path is not a folder'],
  EEXIST: ['missing', 'The path is not a folder'],
  ENOSPC: ['full', 'The disk is full'],
  EDQUOT: ['full', 'The disk quota is used up'],
};

/** @param place the folder, as the subject of a sentence */
export function buildFolderError(place: string, error: unknown): FileStoreError {
  const [code, reason] = ERRORS[readCode(error) ?? ''] ?? ['failed', 'Reading or writing failed'];
  const detail = error instanceof Error ? error.message : String(error);
  return new FileStoreError(code, `${place} cannot be used. ${reason}: ${detail}`, error);
}
