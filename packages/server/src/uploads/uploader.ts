// Accepts files for the management API, from requests and from web addresses. The code for this is loaded when the first upload arrives.

import { fail, type Result } from '../content/result.ts';
import { type FetchSeams, fetchRemote, RemoteFileError } from '../files/fetch-remote.ts';
import type { FileStore } from '../files/file-store.ts';
import { type TakenFile, takeFile, type UploadRules } from './take-file.ts';
import { describeRemote, type UploadProblem } from './upload-problem.ts';
import type { UploadTools } from './upload-tools.ts';

export interface Uploader {
  readonly store: FileStore;
  /** Like `takeFile`. */
  take(source: AsyncIterable<Uint8Array>, name: string, rules: UploadRules): Promise<Result<TakenFile, UploadProblem>>;
  /** Like `takeRemote`. */
  takeRemote(address: string, rules: UploadRules): Promise<Result<TakenFile, UploadProblem>>;
}

export function createUploader(tools: UploadTools): Uploader {
  return {
    store: tools.store,
    take: (source, name, rules) => takeFile(tools, source, name, rules),
    takeRemote: (address, rules) => takeRemote(tools, address, rules),
  };
}

const MOST_REMOTE_MS = 60_000;

/** Fetches a file from a web address, and treats it like an upload. Only public addresses are contacted. */
export async function takeRemote(
  tools: UploadTools,
  address: string,
  rules: UploadRules,
  seams: FetchSeams = {},
): Promise<Result<TakenFile, UploadProblem>> {
  const { mostBytes } = rules;
  const remote = await fetchRemote(address, { mostBytes, mostMs: MOST_REMOTE_MS }, seams);
  if (!remote.ok) return fail(describeRemote(remote.problem, mostBytes));
  const { bytes, name } = remote.value;
  try {
    return await takeFile(tools, bytes, name, rules);
  } catch (error) {
    if (error instanceof RemoteFileError) return fail(describeRemote(error.problem, mostBytes));
    throw error;
  }
}
