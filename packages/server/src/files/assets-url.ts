// Parses the location of uploaded files: a folder (`file:./data/assets`) or an S3 bucket (`s3://BUCKET/PREFIX?region=…`).
// A problem says what is wrong and what is allowed. Credentials are never part of the location.

import { fail, ok, type Result } from '../content/result.ts';

export interface FolderLocation {
  readonly kind: 'folder';
  /** Absolute, or relative to the working directory. */
  readonly path: string;
}

export interface BucketLocation {
  readonly kind: 'bucket';
  readonly bucket: string;
  /** Without leading or trailing slashes; empty for the whole bucket. */
  readonly prefix: string;
  /** If null, the AWS environment and configuration files determine it. */
  readonly region: string | null;
  /** An S3-compatible service other than AWS. */
  readonly endpoint: string | null;
  /** Whether requests name the bucket in their path instead of in the host name. */
  readonly isPathStyle: boolean;
}

export type AssetsLocation = FolderLocation | BucketLocation;

const ALLOWED = 'Use file:PATH or s3://BUCKET/PREFIX?region=REGION&endpoint=URL&path_style=true.';
const PARAMETERS = ['region', 'endpoint', 'path_style'];
// S3's naming rules.
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
// S3 services disagree about how to escape other characters in keys.
const PREFIX = /^[A-Za-z0-9!_.*'()-]+(\/[A-Za-z0-9!_.*'()-]+)*$/;
const LONGEST_PREFIX = 512;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function parseAssetsUrl(text: string): Result<AssetsLocation, string> {
  if (text.startsWith('file:')) return parseFolder(text.slice('file:'.length));
  if (text.startsWith('s3://')) return parseBucket(text.slice('s3://'.length));
  return fail(`"${hideSecrets(text)}" starts with neither file: nor s3://. ${ALLOWED}`);
}

function parseFolder(rest: string): Result<AssetsLocation, string> {
  // Other tools write an absolute path as `file:///var/assets`.
  const path = rest.replace(/^\/\/(?=\/)/, '');
  if (path === '') return fail(`The path after “file:” is missing. ${ALLOWED}`);
  if (path.startsWith('//')) return fail(`The path after “file:” must not include a host. ${ALLOWED}`);
  if (path.includes('\0')) return fail(`The path after file: contains a null character. ${ALLOWED}`);
  return ok(Object.freeze({ kind: 'folder', path }));
}

function parseBucket(rest: string): Result<AssetsLocation, string> {
  const [place = '', ...queries] = rest.split('?');
  const [bucket = '', ...segments] = place.split('/');
  const prefix = segments.join('/').replace(/^\/+|\/+$/g, '');
  if (bucket.includes('@')) {
    return fail(`The URL must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. ${ALLOWED}`);
  }
  if (!BUCKET.test(bucket)) return fail(`"${bucket}" is not a valid bucket name. ${ALLOWED}`);
  if (prefix !== '' && !isPrefix(prefix)) {
    return fail(`The prefix "${prefix}" may contain only letters, digits, slashes and !_.*'()-. ${ALLOWED}`);
  }
  const query = parseQuery(queries.join('?'));
  if (!query.ok) return query;
  const { region, endpoint, path_style: pathStyle } = query.value;
  if (region !== undefined && !REGION.test(region)) return fail(`region "${region}" is not a valid region. ${ALLOWED}`);
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    return fail(
      `endpoint "${hideSecrets(endpoint)}" must be an http or https URL without a path or credentials. ${ALLOWED}`,
    );
  }
  if (pathStyle !== undefined && pathStyle !== 'true' && pathStyle !== 'false') {
    return fail(`path_style "${pathStyle}" must be true or false. ${ALLOWED}`);
  }
  return ok(
    Object.freeze({
      kind: 'bucket',
      bucket,
      prefix,
      region: region ?? null,
      endpoint: endpoint?.replace(/\/$/, '') ?? null,
      isPathStyle: pathStyle === 'true',
    }),
  );
}

function isPrefix(prefix: string): boolean {
  return (
    prefix.length <= LONGEST_PREFIX &&
    PREFIX.test(prefix) &&
    !prefix.split('/').some((segment) => segment === '.' || segment === '..')
  );
}

function parseQuery(query: string): Result<Readonly<Record<string, string>>, string> {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) return fail(`"${name}" is not a parameter of s3://. ${ALLOWED}`);
    if (parameters.getAll(name).length > 1) return fail(`The parameter "${name}" occurs more than once. ${ALLOWED}`);
  }
  return ok(Object.fromEntries(parameters));
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
}

/** The text may contain a password that was pasted into the URL. */
function hideSecrets(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}
