// An index for the calls that have ended, in the order in which they ended. Galley keeps the latest ones. The other columns let the
// database choose these calls without reading the calls themselves, which have large bodies.

import type { ColumnTypes } from '../engine.ts';

export function sortEndedCalls(_types: ColumnTypes): readonly string[] {
  return [
    'create index webhook_calls_ended on webhook_calls (webhook_no, ended_at, no, state) where ended_at is not null',
  ];
}
