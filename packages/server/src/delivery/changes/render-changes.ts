// Renders a page of changes as JSON text, and as a server-sent event that contains the same text. The objects are already rendered, and
// their text is used unchanged.

import type { ContentChangeBody, ErrorBody } from '@galley/wire';
import { formatTimestamp } from '../../content/timestamp.ts';
import { PROBLEMS } from '../../http/problems.ts';
import { type ChangePosition, encodePosition } from '../../listing/change-position.ts';
import type { FoundChange } from '../../storage/changes/select-changes.ts';
import type { FilledPage } from './select-change-page.ts';

export interface RenderedPage {
  /** The page as JSON. */
  readonly body: Buffer;
  /** The same bytes, as an event of the stream. */
  readonly event: Buffer;
}

export function renderChanges(page: FilledPage): RenderedPage {
  const head = renderEventHead('page', page.next);
  // JSON contains no line breaks, so the data is a single line.
  const event = Buffer.from(`${head}${renderPage(page)}${EVENT_END}`);
  return { event, body: event.subarray(Buffer.byteLength(head), -EVENT_END.length) };
}

const EVENT_END = '\n\n';

function renderEventHead(name: string, position: ChangePosition): string {
  return `event: ${name}\nid: ${encodePosition(position)}\ndata: `;
}

function renderPage({ changes, content, tooLarge, next, hasMore, endsSync }: FilledPage): string {
  const head = JSON.stringify({ changes: changes.map(renderChange) }).slice(0, -1);
  const foot = JSON.stringify({
    too_large: tooLarge,
    next: encodePosition(next),
    has_more: hasMore,
    drop_others: endsSync,
  }).slice(1);
  return `${head},"content":${content === null ? 'null' : `[${content.join(',')}]`},${foot}`;
}

function renderChange({ kind, id, type, language, at, uris, position }: FoundChange): ContentChangeBody {
  return {
    position: encodePosition(position),
    kind,
    id,
    content_type: type,
    language,
    time: formatTimestamp(at),
    moved: uris && { from: uris.from, to: uris.to },
  };
}

/** Makes clients reconnect after a second. */
export const RETRY_LINE = 'retry: 1000\n\n';
/** A comment, which clients ignore. */
export const HEARTBEAT = ':\n\n';
export const STOPPING_COMMENT = ': the service is stopping\n\n';

/** Sends a client its position when there is nothing to read. */
export function renderOpenEvent(position: ChangePosition): string {
  const body = JSON.stringify({ next: encodePosition(position) });
  return `${renderEventHead('open', position)}${body}${EVENT_END}`;
}

/** Tells a client that its position is no longer in the log. The event has data, because browsers ignore events without data. */
export function renderGoneEvent(): string {
  const body: ErrorBody = { message: PROBLEMS.changesGone.message };
  return `event: gone\ndata: ${JSON.stringify(body)}${EVENT_END}`;
}
