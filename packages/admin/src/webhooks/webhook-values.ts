// Converts webhooks between the form's values and the API's format.

import type { WebhookBody } from '@galley/wire';
import { pickChanged } from '../forms/form-values.ts';
import { WEBHOOK_FORM_TEXTS } from '../texts/webhook-texts.ts';

export type EventKind = WebhookBody['kinds'][number];

const CONTENT_EVENTS: readonly EventKind[] = [
  'content.published',
  'content.updated',
  'content.moved',
  'content.unpublished',
  'content.deleted',
];

const OPERATIONAL_EVENTS: readonly EventKind[] = ['schedule.failed', 'import.finished'];

export const EVENT_KINDS: readonly EventKind[] = [...CONTENT_EVENTS, ...OPERATIONAL_EVENTS];

export interface HeaderDraft {
  /** Identifies the row while it is being edited. */
  readonly key: string;
  readonly name: string;
  /** Empty for a stored header, unless its value is to be replaced. */
  readonly value: string;
  readonly isStored: boolean;
}

let draftCount = 0;

/** A new header, which starts empty. */
export function createHeaderDraft(): HeaderDraft {
  draftCount += 1;
  return { key: `new ${draftCount}`, name: '', value: '', isStored: false };
}

export interface WebhookValues {
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly EventKind[];
  readonly all_types: boolean;
  readonly content_types: string[];
  readonly all_languages: boolean;
  readonly languages: string[];
  readonly headers: readonly HeaderDraft[];
  readonly payload: WebhookBody['payload'];
  readonly is_batched: boolean;
}

export const NEW_WEBHOOK: WebhookValues = {
  name: '',
  url: '',
  kinds: CONTENT_EVENTS,
  all_types: true,
  content_types: [],
  all_languages: true,
  languages: [],
  headers: [],
  payload: 'light',
  is_batched: false,
};

export function readWebhookValues(webhook: WebhookBody): WebhookValues {
  const { name, url, kinds, content_types: types, languages, header_names: names, payload, is_batched } = webhook;
  return {
    name,
    url,
    kinds,
    all_types: types === null,
    content_types: [...(types ?? [])],
    all_languages: languages === null,
    languages: [...(languages ?? [])],
    headers: names.map((header) => ({ key: `stored ${header}`, name: header, value: '', isStored: true })),
    payload,
    is_batched,
  };
}

export function buildWebhookBody(values: WebhookValues) {
  const { name, url, kinds, all_types, content_types, all_languages, languages, headers, payload, is_batched } = values;
  return {
    name,
    url: url.trim(),
    kinds: EVENT_KINDS.filter((kind) => kinds.includes(kind)),
    content_types: all_types ? null : content_types,
    languages: all_languages ? null : languages,
    headers: buildHeaders(headers),
    payload,
    is_batched,
  };
}

/** Only the changed values, so that changes made elsewhere in the meantime are kept. */
export function buildWebhookChange(values: WebhookValues, initial: WebhookValues) {
  return pickChanged(buildWebhookBody(values), buildWebhookBody(initial));
}

/** A null value keeps the stored one. Rows that were left empty are ignored. */
function buildHeaders(drafts: readonly HeaderDraft[]): Record<string, string | null> {
  const headers = new Map<string, string | null>();
  for (const { name: typed, value, isStored } of drafts) {
    const name = typed.trim();
    if (name === '' && value === '') continue;
    if (headers.has(name)) throw new Error(WEBHOOK_FORM_TEXTS.headerTwice(name));
    headers.set(name, isStored && value === '' ? null : value);
  }
  return Object.fromEntries(headers);
}
