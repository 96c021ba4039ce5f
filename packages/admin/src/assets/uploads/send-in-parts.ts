// Sends a file with the tus protocol (https://tus.io/protocols/resumable-upload). An upload resumes after a lost connection or a
// restart of the service. After a page reload, it resumes when somebody chooses the same file again.

import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { sendFile } from '../../api/send-file.ts';
import { sendRequest } from '../../api/send-request.ts';
import type { Sending } from './open-uploads.ts';

const PART_BYTES = 16 * 1024 * 1024;
const TUS = { 'tus-resumable': '1.0.0' } as const;
/** The delay before each retry. A part that arrives resets the sequence. */
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 30_000, 30_000, 60_000, 60_000];

/** @returns the ID of the upload, from which the service creates an asset */
export async function sendInParts(site: string, file: File, sending: Sending): Promise<string> {
  const { signal, onProgress } = sending;
  const kept = readKept(site, file);
  const reached = kept === undefined ? undefined : await findPosition(kept, signal);
  const place = kept !== undefined && reached !== undefined ? kept : await createUpload(site, file, signal);
  let position: number = reached ?? 0;
  let failures = 0;
  while (position < file.size) {
    onProgress(position);
    try {
      position = await sendPart(place, position, file, sending);
      failures = 0;
    } catch (error) {
      const wait = WAITS_MS[failures];
      if (wait === undefined || !isTemporary(error)) throw error;
      failures += 1;
      await waitFor(wait, signal);
      position = await findAgain(place, position, signal);
    }
  }
  onProgress(file.size);
  return decodeURIComponent(place.split('/').at(-1) ?? '');
}

async function createUpload(site: string, file: File, signal: AbortSignal): Promise<string> {
  const response = await sendFile(
    {
      method: 'POST',
      path: `/manage/v1/sites/${encodeURIComponent(site)}/uploads`,
      headers: { ...TUS, 'upload-length': String(file.size), 'upload-metadata': `filename ${encodeText(file.name)}` },
      body: new Blob([]),
    },
    { signal, onProgress: () => undefined },
  );
  const location = response.headers.get('location');
  if (!response.ok || location === null) throw await readError(response);
  // Keeps only the path, because behind a proxy the service may not know the host that the browser uses.
  const place = new URL(location, window.location.href).pathname;
  keep(site, file, place);
  return place;
}

async function sendPart(place: string, start: number, file: File, { signal, onProgress }: Sending): Promise<number> {
  const headers = { ...TUS, 'upload-offset': String(start), 'content-type': 'application/offset+octet-stream' };
  const response = await sendFile(
    { method: 'PATCH', path: place, headers, body: file.slice(start, start + PART_BYTES) },
    { signal, onProgress: (bytes) => onProgress(start + bytes) },
  );
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN);
  if (!response.ok || Number.isNaN(offset)) throw await readError(response);
  return offset;
}

/** The position to resume from after an interruption. */
async function findAgain(place: string, position: number, signal: AbortSignal): Promise<number> {
  try {
    const reached = await findPosition(place, signal);
    if (reached === undefined) throw new ConnectionError('The service no longer has the first part of the upload');
    return reached;
  } catch (error) {
    if (isTemporary(error)) return position;
    throw error;
  }
}

/** How many bytes the service has; undefined if it no longer has the upload. */
async function findPosition(place: string, signal: AbortSignal): Promise<number | undefined> {
  const request = new Request(new URL(place, window.location.origin), { method: 'HEAD', headers: TUS, signal });
  const response = await sendRequest(request);
  if (response.status === 404 || response.status === 410 || response.status === 403) return undefined;
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN);
  if (!response.ok || Number.isNaN(offset)) throw await readError(response);
  return offset;
}

async function readError(response: Response): Promise<ApiError> {
  return new ApiError(response.status, await response.json().catch(() => undefined));
}

function isTemporary(error: unknown): boolean {
  // 409: the service has a different number of bytes than the panel assumes. 423: it has not yet noticed that the connection was lost.
  const isPassing = (status: number): boolean => status >= 500 || status === 409 || status === 423 || status === 408;
  return error instanceof ConnectionError || (error instanceof ApiError && isPassing(error.status));
}

/** Waits for the given time, or until the network is back. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onOnline = (): void => end(resolve);
    const onAbort = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(onOnline, milliseconds);
    window.addEventListener('online', onOnline);
    signal.addEventListener('abort', onAbort);
  });
}

/** Base64 of the UTF-8 bytes. */
function encodeText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const KEPT = 'galley-upload';

function buildKey(site: string, { name, size, lastModified }: File): string {
  return [KEPT, site, name, size, lastModified].join(':');
}

function keep(site: string, file: File, place: string): void {
  try {
    window.localStorage.setItem(buildKey(site, file), place);
  } catch {
    // Without storage, the upload can be resumed only until the page is reloaded.
  }
}

function readKept(site: string, file: File): string | undefined {
  try {
    return window.localStorage.getItem(buildKey(site, file)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetUpload(site: string, file: File): void {
  try {
    window.localStorage.removeItem(buildKey(site, file));
  } catch {
    // Nothing was stored.
  }
}
