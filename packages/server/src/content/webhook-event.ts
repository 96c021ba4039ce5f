// The events that Galley sends to webhooks.

/** Changes that readers can see. They come from the change log. */
export const CONTENT_EVENTS = [
  'content.published',
  'content.updated',
  'content.moved',
  'content.unpublished',
  'content.deleted',
] as const;

/** Events that matter only to the people who run the site. */
export const OPERATIONAL_EVENTS = ['schedule.failed', 'import.finished'] as const;

/** The events that a webhook can subscribe to. */
export const EVENT_KINDS = [...CONTENT_EVENTS, ...OPERATIONAL_EVENTS] as const;

export type ContentEvent = (typeof CONTENT_EVENTS)[number];
export type OperationalEvent = (typeof OPERATIONAL_EVENTS)[number];
export type EventKind = (typeof EVENT_KINDS)[number];

/** Owners can send this event themselves. */
export const TEST_EVENT = 'webhook.test';

/** One event, as in the body of a call, but without the content object. */
export interface WebhookEvent {
  readonly type: EventKind | typeof TEST_EVENT;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly site: string;
    /** The content that the event is about. */
    readonly id?: string;
    readonly [name: string]: unknown;
  };
}

export interface FailedSchedule {
  readonly site: string;
  readonly id: string;
  readonly content_type: string;
  readonly language: string;
  /** A sentence. */
  readonly reason: string;
}

export function buildFailureEvent(data: FailedSchedule, now: number) {
  return { type: 'schedule.failed', timestamp: new Date(now).toISOString(), data: { ...data } } as const;
}

/** @param counts how many of the site's records are in the bundle, and how many of them changed */
export function buildImportEvent(site: string, counts: Readonly<Record<string, number>>, now: number) {
  return { type: 'import.finished', timestamp: new Date(now).toISOString(), data: { site, counts } } as const;
}

export function buildTestEvent(site: string, webhook: string, now: number) {
  return { type: TEST_EVENT, timestamp: new Date(now).toISOString(), data: { site, webhook } } as const;
}

/** The type of a call: the type of its event, or `batch` if it has several events. */
export type CallType = WebhookEvent['type'] | 'batch';

/** The content that the events are about, with each id listed once. */
export function listContents(events: readonly WebhookEvent[]): readonly string[] {
  return [...new Set(events.flatMap(({ data }) => data.id ?? []))];
}
