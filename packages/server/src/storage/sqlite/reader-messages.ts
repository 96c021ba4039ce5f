// What passes between the service and the thread that reads lists for it. One question is asked at a time.

import type { Cells, SqlValue } from '../statement.ts';

export interface ReaderTask {
  readonly path: string;
  /** The function that statements call to look at the time. */
  readonly timeCheck: string;
  /** One number: when the statement that runs must be done, in nanoseconds of `process.hrtime`. */
  readonly endsAt: SharedArrayBuffer;
}

/** All statements until `end` see one moment. */
export type ToReader =
  | { readonly kind: 'run'; readonly text: string; readonly values: readonly SqlValue[] }
  | { readonly kind: 'end' };

export type FromReader =
  /** From now on there are answers. */
  | { readonly kind: 'ready' }
  /** Some of the rows; there are more. */
  | { readonly kind: 'rows'; readonly rows: readonly Cells[] }
  | { readonly kind: 'done'; readonly columns: readonly string[]; readonly rows: readonly Cells[] }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: number | undefined };
