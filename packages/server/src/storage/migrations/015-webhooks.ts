// Webhooks, the calls that are waiting to be sent, and a log of the calls that have ended. The change log is the queue: `webhooks.position`
// is the position up to which calls have been created, and only a limited number of calls can be waiting at any time.

import type { ColumnTypes } from '../engine.ts';

export function keepWebhooks({ serial, integer, text, narrowTable }: ColumnTypes): readonly string[] {
  return [
    `create table webhooks (
      no ${serial}, site_no ${integer} not null, id ${text} not null unique, name ${text} not null, url ${text} not null,
      kinds ${text} not null, types ${text}, languages ${text}, headers ${text} not null, payload ${text} not null,
      is_batched ${integer} not null, is_on ${integer} not null, off_reason ${text}, off_at ${integer},
      secret ${text} not null, former_secret ${text}, former_until ${integer}, position ${text} not null,
      failing_since ${integer}, created_at ${integer} not null, changed_at ${integer} not null
    )`,
    'create index webhooks_site on webhooks (site_no, no)',
    // The numbers give the order of the calls. The columns from `attempt_at` on describe the last attempt.
    `create table webhook_calls (
      no ${serial}, site_no ${integer} not null, webhook_no ${integer} not null, id ${text} not null unique, type ${text} not null,
      events ${text} not null, state ${text} not null, attempts ${integer} not null default 0, next_at ${integer},
      created_at ${integer} not null, ended_at ${integer}, attempt_at ${integer}, duration_ms ${integer}, status ${integer},
      error ${text}, request_headers ${text}, request_body ${text}, response_headers ${text}, response_body ${text}
    )`,
    'create index webhook_calls_state on webhook_calls (webhook_no, state, no)',
    'create index webhook_calls_webhook on webhook_calls (webhook_no, no)',
    // For the number of failed calls and the time of the last one. Without this index, the database would read the calls, which have large
    // bodies.
    `create index webhook_calls_failed on webhook_calls (webhook_no, state, type, ended_at) where state = 'failed'`,
    'create index webhook_calls_attempt on webhook_calls (webhook_no, attempt_at)',
    'create index webhook_calls_site on webhook_calls (site_no, type, no)',
    'create index webhook_calls_next on webhook_calls (next_at) where next_at is not null',
    // The content that a call is about. Calls about the same content are sent in order.
    `create table webhook_call_contents (
      site_no ${integer} not null, content_id ${text} not null, call_no ${integer} not null,
      primary key (site_no, content_id, call_no)
    ) ${narrowTable}`,
    'create index webhook_call_contents_call on webhook_call_contents (call_no)',
    // Work that only one process does at a time.
    `create table leases (name ${text} primary key, holder ${text} not null, until ${integer} not null)`,
  ];
}
