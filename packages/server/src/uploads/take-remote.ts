// Takes a file from a web address, as if it had been uploaded. Only public addresses are contacted.

import { fail, type Result } from '../content/result.ts';
import { type FetchSeams, fetchRemote, RemoteFileError } from '../files/fetch-remote.ts';
import { type TakenFile, takeFile, type UploadRules } from './take-file.ts';
import { describeRemote, type UploadProblem } from './upload-problem.ts';
import type { UploadTools } from './upload-tools.ts';

const MOST_MS = 60_000;

export async function takeRemote(
  tools: UploadTools,
  address: string,
  rules: UploadRules,
  seams: FetchSeams = {},
): Promise<Result<TakenFile, UploadProblem>> {
  const { mostBytes } = rules;
  const remote = await fetchRemote(address, { mostBytes, mostMs: MOST_MS }, seams);
  if (!remote.ok) return fail(describeRemote(remote.problem, mostBytes));
  const { bytes, name } = remote.value;
  try {
    return await takeFile(tools, bytes, name, rules);
  } catch (error) {
    if (error instanceof RemoteFileError) return fail(describeRemote(error.problem, mostBytes));
    throw error;
  }
}
