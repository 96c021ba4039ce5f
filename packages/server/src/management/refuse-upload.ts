// Turns a problem with an uploaded file into a refusal that names the file.

import { AuthoringRefusal, type RefusalCode, type RefusalReason } from '../authoring/authoring-refusal.ts';
import type { UploadProblem, UploadProblemCode } from '../uploads/upload-problem.ts';

const REFUSALS: Readonly<Record<UploadProblemCode, readonly [RefusalReason, RefusalCode]>> = {
  empty: ['invalid', 'file_empty'],
  too_large: ['too_large', 'too_large'],
  type_not_allowed: ['invalid', 'type_not_allowed'],
  too_many_pixels: ['invalid', 'too_many_pixels'],
  unreadable: ['invalid', 'unreadable'],
  busy: ['busy', 'busy'],
  invalid_url: ['invalid', 'not_fetched'],
  private_address: ['invalid', 'not_fetched'],
  unreachable: ['invalid', 'not_fetched'],
  status: ['invalid', 'not_fetched'],
  too_many_redirects: ['invalid', 'not_fetched'],
  too_slow: ['invalid', 'not_fetched'],
};

const LONGEST_NAME = 100;

/** @param file the name that the user knows the file by; it may be empty */
export function refuseUpload({ code, message, values }: UploadProblem, file: string): AuthoringRefusal {
  const [reason, refusalCode] = REFUSALS[code];
  const name = file.length > LONGEST_NAME ? `${file.slice(0, LONGEST_NAME)}…` : file;
  return new AuthoringRefusal(name === '' ? message : `${name}: ${message}`, {
    reason,
    code: refusalCode,
    details: { file, ...values },
  });
}
