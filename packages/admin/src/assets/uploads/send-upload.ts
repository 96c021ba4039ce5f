// Sends one file to the service. Large files are sent in parts, so that an interrupted upload can resume.

import type { ManagedAssetBody } from '@galley/wire';
import { ApiError } from '../../api/api-error.ts';
import { sendFile } from '../../api/send-file.ts';
import { sendRequest } from '../../api/send-request.ts';
import type { Sending, SentUpload } from './open-uploads.ts';
import { forgetUpload, sendInParts } from './send-in-parts.ts';

/** Larger files are sent in parts. */
const MOST_AT_ONCE_BYTES = 50_000_000;

export async function sendUpload(upload: SentUpload, sending: Sending): Promise<ManagedAssetBody> {
  const { site, file } = upload;
  if (file.size <= MOST_AT_ONCE_BYTES) return readAsset(await sendWhole(upload, sending));
  const id = await sendInParts(site, file, sending);
  const response = await createFromParts(upload, id, sending.signal);
  // The same parts can still be used to add a duplicate anyway, or to retry after a temporary problem.
  if (response.status !== 409 && response.status < 500) forgetUpload(site, file);
  return readAsset(response);
}

function sendWhole(upload: SentUpload, sending: Sending): Promise<Response> {
  const { file, target } = upload;
  const body = new FormData();
  // The service reads the fields in order, and they apply to the files that follow.
  if (target.kind === 'new') {
    body.append('name', nameAsset(file.name));
    body.append('folder', target.folder);
  }
  body.append('file', file, file.name);
  return sendFile({ method: methodOf(upload), path: buildPath(upload), body }, sending);
}

const MOST_NAME_CHARACTERS = 255;

/** Names an asset after its file, without the extension. */
export function nameAsset(fileName: string): string {
  const name = fileName.replaceAll(/\s+/g, ' ').trim();
  const stem = name.replace(/\.[^.\s]{1,10}$/, '').trim();
  return [...(stem === '' ? name : stem)].slice(0, MOST_NAME_CHARACTERS).join('');
}

function createFromParts(upload: SentUpload, id: string, signal: AbortSignal): Promise<Response> {
  const { file, target } = upload;
  return sendRequest(
    new Request(new URL(buildPath(upload), window.location.origin), {
      method: methodOf(upload),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        upload: id,
        ...(target.kind === 'new' ? { name: nameAsset(file.name), folder: target.folder } : {}),
      }),
      signal,
    }),
  );
}

function methodOf({ target }: SentUpload): 'POST' | 'PUT' {
  return target.kind === 'new' ? 'POST' : 'PUT';
}

function buildPath({ site, target, acceptsDuplicate }: SentUpload): string {
  const assets = `/manage/v1/sites/${encodeURIComponent(site)}/assets`;
  if (target.kind === 'replace') return `${assets}/${encodeURIComponent(target.asset)}/file`;
  return acceptsDuplicate ? assets : `${assets}?duplicates=refuse`;
}

async function readAsset(response: Response): Promise<ManagedAssetBody> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isAsset(body)) throw new ApiError(response.status, body);
  return body;
}

function isAsset(value: unknown): value is ManagedAssetBody {
  return typeof value === 'object' && value !== null && 'id' in value && 'mime_type' in value && 'file_name' in value;
}
