// Turns S3 client errors into errors that name the store and the reason.

import { S3ServiceException } from '@aws-sdk/client-s3';
import { FileStoreError, type FileStoreErrorCode } from './file-store.ts';

const REASONS: Readonly<Record<string, readonly [FileStoreErrorCode, string]>> = {
  NoSuchBucket: ['missing', 'The bucket does not exist'],
  PermanentRedirect: ['missing', 'The bucket is in another region; set region in GALLEY_ASSETS_URL'],
  AuthorizationHeaderMalformed: ['missing', 'The bucket is in another region; set region in GALLEY_ASSETS_URL'],
  AccessDenied: ['forbidden', 'The credentials do not allow this'],
  Forbidden: ['forbidden', 'The credentials do not allow this'],
  InvalidAccessKeyId: ['forbidden', 'The access key is not valid'],
  SignatureDoesNotMatch: ['forbidden', 'The secret access key is not valid'],
  ExpiredToken: ['forbidden', 'The credentials have expired'],
  CredentialsProviderError: [
    'forbidden',
    'Galley found no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  QuotaExceeded: ['full', 'The bucket’s quota is used up'],
  TimeoutError: ['unreachable', 'The service is not responding'],
  AbortError: ['unreachable', 'The service is not responding'],
  ECONNREFUSED: ['unreachable', 'The service cannot be reached'],
  ECONNRESET: ['unreachable', 'The service closed the connection'],
  EHOSTUNREACH: ['unreachable', 'The service cannot be reached'],
  ENETUNREACH: ['unreachable', 'The service cannot be reached'],
  ENOTFOUND: ['unreachable', 'The host name of the service does not exist'],
  EAI_AGAIN: ['unreachable', 'The host name of the service cannot be looked up'],
  ETIMEDOUT: ['unreachable', 'The service is not responding'],
  EPIPE: ['unreachable', 'The service closed the connection'],
  '403': ['forbidden', 'The credentials do not allow this'],
  '503': ['unreachable', 'The service is overloaded'],
  SlowDown: ['unreachable', 'The service is overloaded'],
  ServiceUnavailable: ['unreachable', 'The service is overloaded'],
};

export function buildBucketError(address: string, error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const [code, reason] = findReason(error) ?? ['failed', 'The request failed'];
  return new FileStoreError(code, `The file store ${address} cannot be used. ${reason}: ${describe(error)}`, error);
}

export function isMissing(error: unknown): boolean {
  const [name] = listNames(error);
  return name === 'NoSuchKey' || name === 'NotFound';
}

export function isNotImplemented(error: unknown): boolean {
  return listNames(error).includes('NotImplemented');
}

export function isUnsatisfiable(error: unknown): boolean {
  return listNames(error).includes('InvalidRange');
}

function findReason(error: unknown): readonly [FileStoreErrorCode, string] | undefined {
  return listNames(error)
    .map((name) => REASONS[name])
    .find((reason) => reason !== undefined);
}

/** The error name in S3's response, the failed system call's code, or the status of a response without a body. */
function listNames(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const status = error instanceof S3ServiceException ? [String(error.$metadata.httpStatusCode)] : [];
  return [error.name, ...code, ...status];
}

/** If a host has several addresses, Node wraps their failures in one error without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ');
  return error instanceof Error ? error.message || error.name : String(error);
}
