// The audit log filters, which are kept in the panel's URL. Like the API, the page applies one filter at a time (a person or token, a
// site, or an action), together with the last day to show.

import { readSearchText } from '../lists/read-search-text.ts';

const MEMBERS = ['actor', 'site', 'action'] as const;

export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly site?: string | undefined;
  readonly action?: string | undefined;
  /** The last day to show, in the reader's time zone, such as `2026-11-15`. */
  readonly day?: string | undefined;
}

/** If there are several filters, the first one is used. */
export function parseAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const nothing = { actor: undefined, site: undefined, action: undefined };
  const member = MEMBERS.find((name) => readSearchText(raw[name]) !== undefined);
  return {
    ...nothing,
    ...(member === undefined ? {} : { [member]: readSearchText(raw[member]) }),
    day: isDay(raw.day) ? raw.day : undefined,
  };
}

/** The filter as a string such as `actor:u_1`; null if there is none. */
export function encodeFilter(search: AuditSearch): string | null {
  const member = MEMBERS.find((name) => search[name] !== undefined);
  return member === undefined ? null : `${member}:${search[member]}`;
}

export function decodeFilter(text: string | null): AuditSearch {
  const [member = '', ...rest] = (text ?? '').split(':');
  return parseAuditSearch({ [member]: rest.join(':') });
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
