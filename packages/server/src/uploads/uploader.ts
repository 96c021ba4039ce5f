// Takes files for the management API. The code behind it is loaded with the first upload.

import type { Result } from '../content/result.ts';
import type { FileStore } from '../files/file-store.ts';
import { type TakenFile, takeFile, type UploadRules } from './take-file.ts';
import { takeRemote } from './take-remote.ts';
import type { UploadProblem } from './upload-problem.ts';
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
