// Runs the uploads in the queue. The queue belongs to the panel as a whole, so uploads continue while people open other pages.

import type { ManagedAssetBody } from '@galley/wire';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { describeError } from '../../forms/describe-error.ts';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import {
  advanceQueue,
  type ExistingAsset,
  isActive,
  listStartable,
  type Queue,
  type UploadEvent,
} from './upload-queue.ts';

/** A new asset, or a new file for an existing one. */
export type UploadTarget =
  | { readonly kind: 'new'; readonly folder: string }
  | { readonly kind: 'replace'; readonly asset: string };

export interface NewUpload {
  readonly site: string;
  readonly file: File;
  readonly target: UploadTarget;
  /**
   * Called with the asset once the file is stored, or with the existing asset if somebody chose to use that instead.
   */
  readonly onDone?: (asset: ManagedAssetBody) => void;
}

export interface SentUpload extends Pick<NewUpload, 'site' | 'file' | 'target'> {
  readonly acceptsDuplicate: boolean;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/** @throws an ApiError with the code `duplicate` if the site already has an asset with the same bytes */
export type SendUpload = (upload: SentUpload, sending: Sending) => Promise<ManagedAssetBody>;

export interface Uploads {
  add(uploads: readonly NewUpload[]): void;
  cancel(id: number): void;
  cancelAll(): void;
  retry(id: number): void;
  addAnyway(id: number): void;
  takeExisting(id: number): void;
  clear(): void;
  read(): Queue;
  watch(listener: () => void): () => void;
}

/** The calls to the service. */
export interface UploadCalls {
  readonly send: SendUpload;
  readonly read: (site: string, asset: string) => Promise<ManagedAssetBody>;
}

export function openUploads({ send, read }: UploadCalls): Uploads {
  let queue: Queue = [];
  let lastId = 0;
  const orders = new Map<number, NewUpload>();
  const running = new Map<number, AbortController>();
  const listeners = new Set<() => void>();

  function dispatch(event: UploadEvent): void {
    queue = advanceQueue(queue, event);
    for (const id of orders.keys()) if (!queue.some((upload) => upload.id === id)) orders.delete(id);
    for (const { id, acceptsDuplicate } of listStartable(queue)) void run(id, acceptsDuplicate);
    for (const listener of listeners) listener();
  }

  async function run(id: number, acceptsDuplicate: boolean): Promise<void> {
    const order = orders.get(id);
    if (order === undefined) return;
    queue = advanceQueue(queue, { type: 'start', id });
    const abort = new AbortController();
    running.set(id, abort);
    const isCurrent = (): boolean => running.get(id) === abort;
    try {
      const asset = await send(
        { ...order, acceptsDuplicate },
        { signal: abort.signal, onProgress: (sent) => isCurrent() && dispatch({ type: 'progress', id, sent }) },
      );
      if (isCurrent()) finish(id, asset);
    } catch (error) {
      if (!isCurrent()) return;
      running.delete(id);
      dispatch(describeFailure(id, error));
    }
  }

  function finish(id: number, asset: ManagedAssetBody): void {
    running.delete(id);
    dispatch({ type: 'finish', id, asset });
    orders.get(id)?.onDone?.(asset);
  }

  function cancel(id: number): void {
    running.get(id)?.abort();
    running.delete(id);
    dispatch({ type: 'cancel', id });
  }

  return {
    add(uploads) {
      const added = uploads.map((upload) => {
        lastId += 1;
        orders.set(lastId, upload);
        return { id: lastId, site: upload.site, name: upload.file.name, size: upload.file.size };
      });
      dispatch({ type: 'add', uploads: added });
    },
    cancel,
    cancelAll() {
      for (const { id } of queue.filter(isActive).toReversed()) cancel(id);
    },
    retry: (id) => dispatch({ type: 'retry', id }),
    addAnyway: (id) => dispatch({ type: 'addAnyway', id }),
    takeExisting(id) {
      const upload = queue.find((known) => known.id === id);
      if (upload?.state.name !== 'duplicate') return;
      read(upload.site, upload.state.existing.id).then(
        (asset) => finish(id, asset),
        (error: unknown) => dispatch({ type: 'fail', id, message: describeAny(error) }),
      );
    },
    clear: () => dispatch({ type: 'clear' }),
    read: () => queue,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function describeFailure(id: number, error: unknown): UploadEvent {
  const existing = error instanceof ApiError && error.code === 'duplicate' ? findExisting(error) : undefined;
  return existing === undefined ? { type: 'fail', id, message: describeAny(error) } : { type: 'find', id, existing };
}

function describeAny(error: unknown): string {
  return error instanceof ConnectionError
    ? UPLOAD_TEXTS.connectionLost
    : describeError(error instanceof Error ? error : new Error(String(error)));
}

function findExisting({ details: { assets } }: ApiError): ExistingAsset | undefined {
  const [first]: unknown[] = Array.isArray(assets) ? assets : [];
  return isDuplicate(first) ? { id: first.asset, name: first.name } : undefined;
}

function isDuplicate(value: unknown): value is { readonly asset: string; readonly name: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asset' in value &&
    typeof value.asset === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
