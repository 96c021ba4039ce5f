// The states of uploads, and the events that change them. Each state accepts only the events in its row; others are ignored, such as
// the response to an upload that was cancelled in the meantime.
//
// | state     | events                                                    |
// |-----------|-----------------------------------------------------------|
// | waiting   | start → sending, cancel → cancelled                       |
// | sending   | progress, finish → done, find → duplicate, fail → failed, cancel → cancelled |
// | duplicate | finish → done (the existing asset), fail → failed, addAnyway → waiting, cancel → cancelled |
// | failed    | retry → waiting, cancel → cancelled                       |
// | cancelled | retry → waiting                                           |
// | done      | –                                                         |

import type { ManagedAssetBody } from '@galley/wire';

/** At most this many files are sent at a time. */
const MOST_AT_ONCE = 3;

/** An existing asset with the same bytes. */
export interface ExistingAsset {
  readonly id: string;
  readonly name: string;
}

export type UploadState =
  | { readonly name: 'waiting' }
  /** Once all bytes have been sent, the service still has to check and store the file. */
  | { readonly name: 'sending'; readonly sent: number }
  | { readonly name: 'duplicate'; readonly existing: ExistingAsset }
  | { readonly name: 'failed'; readonly message: string }
  | { readonly name: 'cancelled' }
  | { readonly name: 'done'; readonly asset: ManagedAssetBody };

export interface Upload {
  readonly id: number;
  readonly site: string;
  /** The name of the file. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Whether to add the file even if the site already has an asset with the same bytes. */
  readonly acceptsDuplicate: boolean;
  readonly state: UploadState;
}

export type Queue = readonly Upload[];

export type UploadEvent =
  | { readonly type: 'add'; readonly uploads: readonly Pick<Upload, 'id' | 'site' | 'name' | 'size'>[] }
  | { readonly type: 'start'; readonly id: number }
  | { readonly type: 'progress'; readonly id: number; readonly sent: number }
  | { readonly type: 'finish'; readonly id: number; readonly asset: ManagedAssetBody }
  | { readonly type: 'find'; readonly id: number; readonly existing: ExistingAsset }
  | { readonly type: 'fail'; readonly id: number; readonly message: string }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'retry'; readonly id: number }
  | { readonly type: 'addAnyway'; readonly id: number }
  /** Removes all uploads that are neither waiting nor being sent. */
  | { readonly type: 'clear' };

type OneEvent = Exclude<UploadEvent, { readonly type: 'add' | 'clear' }>;

export function advanceQueue(queue: Queue, event: UploadEvent): Queue {
  if (event.type === 'add') {
    return [
      ...queue,
      ...event.uploads.map((upload) => ({ ...upload, acceptsDuplicate: false, state: { name: 'waiting' as const } })),
    ];
  }
  if (event.type === 'clear') return queue.filter(isActive);
  return queue.map((upload) => (upload.id === event.id ? advanceUpload(upload, event) : upload));
}

function advanceUpload(upload: Upload, event: OneEvent): Upload {
  const { state } = upload;
  switch (event.type) {
    case 'start':
      return state.name === 'waiting' ? { ...upload, state: { name: 'sending', sent: 0 } } : upload;
    case 'progress':
      return state.name === 'sending'
        ? { ...upload, state: { name: 'sending', sent: Math.min(upload.size, Math.max(state.sent, event.sent)) } }
        : upload;
    case 'finish':
      return state.name === 'sending' || state.name === 'duplicate'
        ? { ...upload, state: { name: 'done', asset: event.asset } }
        : upload;
    case 'find':
      return state.name === 'sending' ? { ...upload, state: { name: 'duplicate', existing: event.existing } } : upload;
    case 'fail':
      return state.name === 'sending' || state.name === 'duplicate'
        ? { ...upload, state: { name: 'failed', message: event.message } }
        : upload;
    case 'cancel':
      return state.name === 'done' ? upload : { ...upload, state: { name: 'cancelled' } };
    case 'retry':
      return state.name === 'failed' || state.name === 'cancelled' ? { ...upload, state: { name: 'waiting' } } : upload;
    case 'addAnyway':
      return state.name === 'duplicate' ? { ...upload, acceptsDuplicate: true, state: { name: 'waiting' } } : upload;
  }
}

/** Whether the upload is waiting or being sent. Leaving the page would stop it. */
export function isActive({ state }: Upload): boolean {
  return state.name === 'waiting' || state.name === 'sending';
}

/** The uploads that can start now, oldest first. */
export function listStartable(queue: Queue): readonly Upload[] {
  const sending = queue.filter(({ state }) => state.name === 'sending').length;
  return queue.filter(({ state }) => state.name === 'waiting').slice(0, Math.max(0, MOST_AT_ONCE - sending));
}

export interface QueueSummary {
  readonly total: number;
  readonly active: number;
  readonly done: number;
  readonly duplicates: number;
  readonly failed: number;
  readonly cancelled: number;
  /** The progress from 0 to 100, based on bytes. */
  readonly percent: number;
}

export function summariseQueue(queue: Queue): QueueSummary {
  const count = (name: UploadState['name']): number => queue.filter(({ state }) => state.name === name).length;
  const wanted = queue.filter(({ state }) => state.name !== 'cancelled');
  // An empty file counts as one byte, so that a queue of empty files also makes progress.
  const bytes = wanted.reduce((sum, { size }) => sum + Math.max(1, size), 0);
  const sent = wanted.reduce((sum, upload) => sum + countSent(upload), 0);
  return {
    total: queue.length,
    active: queue.filter(isActive).length,
    done: count('done'),
    duplicates: count('duplicate'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    percent: bytes === 0 ? 100 : Math.floor((100 * sent) / bytes),
  };
}

function countSent({ size, state }: Upload): number {
  if (state.name === 'waiting') return 0;
  return state.name === 'sending' ? state.sent : Math.max(1, size);
}
