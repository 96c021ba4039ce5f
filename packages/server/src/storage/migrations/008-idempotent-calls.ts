// The outcomes of calls with an `Idempotency-Key`. A repeated call gets the same response, and its change is not made twice.

import type { ColumnTypes } from '../engine.ts';

export function keepIdempotentCalls({ integer, text }: ColumnTypes): readonly string[] {
  return [
    `create table idempotent_calls (
      account_no ${integer} not null, actor_id ${text} not null, key_hash ${text} not null,
      digest ${text} not null, status ${integer} not null, etag ${text}, body ${text},
      is_kept ${integer} not null, made_at ${integer} not null,
      primary key (account_no, actor_id, key_hash)
    )`,
    'create index idempotent_calls_made_at on idempotent_calls (made_at)',
  ];
}
