// Work that reads all bytes of an upload. It runs on a thread, because a large or hostile file could block other requests for seconds.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StoredFile } from '../files/file-store.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import { WorkThread } from '../storage/work-thread.ts';

export type FileJob =
  | { readonly kind: 'inspect'; readonly path: string; readonly name: string }
  /** Changes the file in its place. */
  | { readonly kind: 'sanitise'; readonly path: string }
  | { readonly kind: 'remove-location'; readonly path: string; readonly type: string };

export interface SanitisedSvg extends StoredFile {
  readonly width: number | null;
  readonly height: number | null;
}

export type FileOutcome =
  | { readonly kind: 'inspected'; readonly file: InspectedFile }
  | { readonly kind: 'sanitised'; readonly svg: SanitisedSvg }
  /** The reason is a sentence. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** `file` is null if there was nothing to remove. */
  | { readonly kind: 'without-location'; readonly file: StoredFile | null }
  | { readonly kind: 'failed'; readonly error: unknown };

export type FileThread = WorkThread<FileJob, FileOutcome>;

const PROGRAM = join(import.meta.dirname, `file-work-thread${extname(import.meta.filename)}`);
/** Sanitising the largest SVG file needs about half of this. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

export function openFileThread(): FileThread {
  return new WorkThread(() => new Worker(PROGRAM, { resourceLimits: MEMORY }));
}
