// The panel's messages for the management API's error codes. A test fails if a code has no message here.

import type { FaultBody, ManagementErrorBody } from '@galley/wire';
import type { Fault } from '../api/api-error.ts';
import { nameLanguage } from './language-name.ts';

type FaultCode = FaultBody['code'];
type ErrorCode = NonNullable<ManagementErrorBody['code']>;

interface SaidFault {
  /** The label of the input; undefined for an error in the request as a whole. */
  readonly label: string | undefined;
  /** The last segment of the error's path, such as `slug`. */
  readonly member: string;
  readonly path: string;
  readonly message: string;
  readonly values: NonNullable<FaultBody['values']>;
}

type SayFault = (fault: SaidFault) => string;

const SLUG_HELP = 'cannot contain spaces or any of / ? # % &. Use letters, numbers and hyphens.';

/** The messages for empty inputs in which people choose from a list instead of typing, by path. */
const CHOICES: Readonly<Record<string, string>> = { sites: 'Choose a site.' };

export const FAULT_TEXTS: Readonly<Record<FaultCode, SayFault>> = {
  invalid: ({ label, message }) => (label === undefined ? `${capitalise(message)}.` : `${label} ${message}.`),
  required: ({ label, path }) => CHOICES[path] ?? (label === undefined ? 'This is required.' : `${label} is empty.`),
  unknown: ({ label = 'This' }) => `${label} no longer exists.`,
  not_found: ({ values }) => `This ${values.kind ?? 'item'} no longer exists.`,
  not_allowed: ({ label = 'This field', member, values: { value } }) => {
    if (value === undefined) return `${label} does not allow this.`;
    return `${label} does not allow “${/^languages?$/.test(member) ? nameLanguage(String(value)) : value}”.`;
  },
  duplicate: ({ label = 'This' }) => `${label} is used twice.`,
  fixed: ({ label = 'This' }) => `${label} can no longer be changed.`,
  taken: ({ member, values }) =>
    values.name === undefined ? `This ${member} is already in use.` : `“${values.name}” already uses this ${member}.`,
  url_taken: ({ values }) => `“${values.name}” already uses the URL /${values.path}.`,
  too_short: ({ label = 'This', values }) => `${label} needs at least ${count(values.min, 'character')}.`,
  too_long: ({ label = 'This', values }) => `${label} can have at most ${count(values.max, 'character')}.`,
  too_small: ({ label = 'This', values }) => `${label} must be ${values.min} or more.`,
  too_large: ({ label = 'This', values }) => `${label} must be ${values.max} or less.`,
  too_few: ({ label = 'this list', values }) => `Add at least ${count(values.min, 'item')} to ${label}.`,
  too_many: ({ label = 'This', values }) => `${label} can have at most ${count(values.max, 'item')}.`,
  values_missing: ({ values: { name, total } }) =>
    total === 1
      ? `“${name}” is published without a value in this field. Add a value, publish, and try again.`
      : `“${name}” and ${countOthers(total)} have no value in this field. Add the missing values, publish, and try again.`,
  in_past: () => 'Choose a time in the future.',
  in_future: () => 'Choose a time in the past, or use a schedule instead.',
  before_publish: () => 'Choose a time after the publish time.',
  slug_invalid: ({ label = 'This' }) => `${label} ${SLUG_HELP}`,
  handle_invalid: () => 'Use lowercase letters, numbers and underscores, and start with a letter.',
  url_invalid: () => 'Enter a URL that starts with https://.',
  email_invalid: () => 'Enter an email address, such as ada@example.com.',
  password_invalid: ({ values }) =>
    `Use ${values.min} to ${values.max} characters. The password must not be the same as the user’s name or email address.`,
  password_wrong: () => 'This is not your current password.',
  description_missing: ({ values }) => `Add alt text to the picture “${values.name}”.`,
};

/**
 * Describes an input's error in a sentence.
 * @param label the label of the input; omitted for an error in the request as a whole
 */
export function sayFault({ path, message, code = 'invalid', values = {} }: Fault, label?: string): string {
  // After the service is updated, a panel that is still open may not recognise a new code.
  const say = FAULT_TEXTS[code] ?? FAULT_TEXTS.invalid;
  return say({ label, member: readMember(path), path, message, values });
}

/** The error at a path, as a sentence to show below the input with this label. */
export function findFault(faults: readonly Fault[], path: string, label: string): string | undefined {
  const fault = faults.find((each) => each.path === path);
  return fault && sayFault(fault, label);
}

/** Describes errors that have no input on the page. */
export function describeFaults(faults: readonly Fault[]): string | undefined {
  if (faults.length === 0) return undefined;
  return faults.map((fault) => sayFault(fault, fault.path === '' ? undefined : nameMember(fault.path))).join('\n');
}

/** A readable name for the last segment of a path: `Expires at` for `expires_at`. */
export function nameMember(path: string): string {
  return capitalise(readMember(path).replaceAll('_', ' '));
}

function readMember(path: string): string {
  const [member = 'value'] = /\w+(?=(\[\d+\])?$)/.exec(path) ?? [];
  return member === 'id' ? 'ID' : member;
}

interface SaidError {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type SayError = (error: SaidError) => string;

/** Used for errors whose message from the API is suitable for editors. */
const asSent: SayError = ({ message }) => message;
/** Used for errors that only a bug or a broken network can cause. */
const asBug: SayError = ({ message }) => `The panel sent a request that the service does not accept: ${message}`;

/** Used for errors that the API explains with a `reason`, because its own message contains ids or language tags. */
const byReason: SayError = ({ message, details }) => REASONS[String(details.reason)]?.(details) ?? message;

const REASONS: Readonly<Record<string, (details: SaidError['details']) => string>> = {
  archived: () => 'This is archived. Restore it first.',
  not_archived: () => 'This is not archived. Archive it first.',
  not_published: () => 'This is not published.',
  not_scheduled: () => 'This schedule no longer exists.',
  publish_first: () => 'This is scheduled to be published first.',
  no_preview: () => 'This site has no preview address yet. An owner can add one.',
  webhook_off: () => 'This webhook is switched off. Switch it on first.',
  call_pending: () => 'This call is still pending. Galley will send it.',
  calls_pending: ({ total }) => `This webhook already has ${count(total, 'pending call')}.`,
  key_revoked: () => 'This API key has been revoked, so it can no longer be changed.',
  own_password: () => 'Use “Change password” in the user menu to change your own password.',
  too_many_tags: ({ name, total, limit }) =>
    `“${name}” would have ${count(total, 'tag')}. An asset can have at most ${limit}.`,
  id_taken: () => 'This ID is already in use.',
  being_deleted: () => 'A site with this ID is still being deleted. Wait until it is gone.',
  language_exists: ({ language }) => `This site already has ${nameOf(language)}.`,
  default_language: ({ language }) =>
    `${nameOf(language)} is the default language. Make another one the default first.`,
  untranslated: ({ language, default_language: current, total }) =>
    `${nameOf(language)} cannot become the default language: ${count(total, 'page')} in ${nameOf(current)} ` +
    `${total === 1 ? 'has' : 'have'} no ${nameOf(language)} translation.`,
  translated: ({ language, is_archived: isArchived }) =>
    isArchived === true
      ? `There is already a version in ${nameOf(language)}, but it is archived. Restore it instead.`
      : `There is already a version in ${nameOf(language)}.`,
};

function nameOf(language: unknown): string {
  return nameLanguage(String(language));
}

export const ERROR_TEXTS: Readonly<Record<ErrorCode, SayError>> = {
  malformed: asBug,
  not_found: () => 'This no longer exists.',
  forbidden: asSent,
  conflict: byReason,
  invalid: asSent,
  too_large: asSent,
  busy: asSent,
  in_use: ({ message, details: { total, contents } }) => {
    if (typeof total === 'number') return `Used in ${count(total, 'page')}. Remove it there first.`;
    return contents === undefined ? message : 'This is still in use. First remove it from the content that uses it.';
  },
  taken: byReason,
  stale: asSent,
  linked: ({ details }) => sayLinked(details),
  url_taken: () => 'Another published page already uses this URL.',
  wrong_state: ({ details }) => byReason({ message: 'This is not possible at the moment. Reload the page.', details }),
  values_lost: () => 'Some content has values that would be lost. Reload the page and try again.',
  values_missing: () =>
    'Some published pages have no value in this field. Add the missing values, publish, and try again.',
  limit_reached: byReason,
  last_owner: asSent,
  duplicate: asSent,
  file_removed: asSent,
  file_empty: asSent,
  type_not_allowed: asSent,
  too_many_pixels: asSent,
  unreadable: asSent,
  not_fetched: asSent,
  wrong_offset: asSent,
  incomplete: asSent,
  bad_request: asBug,
  site_invalid: asBug,
  unauthenticated: () => 'You are signed out. Sign in and try again.',
  sign_in_failed: asSent,
  site_missing: asBug,
  site_forbidden: asBug,
  preview_forbidden: asBug,
  key_needed: asBug,
  owner_needed: () => 'Only an owner can do this.',
  csrf_token_missing: () => 'Your session has changed. Reload the page and try again.',
  cross_site_forbidden: asBug,
  image_signature_needed: asBug,
  content_not_found: () => 'This content no longer exists.',
  method_not_allowed: asBug,
  request_timeout: () => 'The connection is too slow. Try again.',
  changes_gone: asBug,
  precondition_failed: () => 'Somebody else has changed this in the meantime. Reload the page.',
  payload_too_large: () => 'This is too large to save.',
  uri_too_long: asBug,
  unsupported_media_type: asBug,
  range_not_satisfiable: asBug,
  expectation_failed: asBug,
  host_unknown: asSent,
  too_many_requests: () => 'Too many attempts. Wait a moment, then try again.',
  headers_too_large: asBug,
  idempotency_key_invalid: asBug,
  idempotency_key_reused: asBug,
  already_done: () => 'This has already been done. Reload the page.',
  server_error: () => 'The service is having problems. Try again in a moment.',
  service_unavailable: () => 'The service is not available at the moment. Try again soon.',
  not_saved: () => 'The service is not available at the moment. Nothing was saved.',
  outcome_unknown: () =>
    'The service failed during the save. Check whether your change was saved before you try again.',
  database_read_only: asSent,
  database_failing: asSent,
  file_store_failing: asSent,
  import_running: () => 'An import is running. Try again when it has finished.',
  storage_full: asSent,
};

function sayLinked({ total, has_more: hasMore }: SaidError['details']): string {
  if (typeof total !== 'number') return 'Published pages link here. Their links will stop working.';
  if (total === 1) return '1 published page links here. Its link will stop working.';
  return `${hasMore === true ? 'More than ' : ''}${total.toLocaleString()} published pages link here. Their links will stop working.`;
}

function count(amount: unknown, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${amount?.toLocaleString()} ${noun}s`;
}

function countOthers(total: string | number | undefined): string {
  const others = Number(total) - 1;
  return others === 1 ? '1 other published page' : `${others.toLocaleString()} other published pages`;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
