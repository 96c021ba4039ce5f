// Sends files and reports upload progress, which `fetch` does not support.

import { ConnectionError } from './api-error.ts';
import { sendAsCaller } from './send-request.ts';

export interface FileRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
}

export interface FileSending {
  readonly signal: AbortSignal;
  /** @param bytes how many bytes of the body have been sent */
  readonly onProgress: (bytes: number) => void;
}

/** @throws a ConnectionError, or the signal's reason if the request was aborted */
export function sendFile(request: FileRequest, sending: FileSending): Promise<Response> {
  return sendAsCaller((csrfToken) => sendOnce(request, csrfToken, sending));
}

function sendOnce(request: FileRequest, csrfToken: string | null, sending: FileSending): Promise<Response> {
  const { method, path, headers = {}, body } = request;
  const { signal, onProgress } = sending;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const call = new XMLHttpRequest();
    const abort = (): void => call.abort();
    call.open(method, path);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    if (csrfToken !== null) call.setRequestHeader('x-csrf-token', csrfToken);
    call.upload.onprogress = ({ loaded }) => onProgress(loaded);
    call.onload = () => resolve(buildResponse(call));
    call.onerror = () => reject(new ConnectionError(undefined));
    call.onabort = () => reject(signal.reason);
    call.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    call.send(body);
  });
}

function buildResponse(call: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of call.getAllResponseHeaders().split('\r\n')) {
    const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.append(name, value);
  }
  return new Response(call.status === 204 ? null : call.responseText, { status: call.status, headers });
}
