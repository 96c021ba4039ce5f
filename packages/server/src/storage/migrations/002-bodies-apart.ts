// What readers get of an object moves into a table of its own, beside the one with its keys: whatever reads that one from
// end to end, such as the making of an index, reads a tenth as much. Indexes end in the number of the object, by which its
// body is found.

import type { ColumnTypes } from '../engine.ts';

export function moveBodiesApart({ integer, text }: ColumnTypes): readonly string[] {
  return ['published', 'preview'].flatMap((model) => [
    `create table ${model}_bodies (content_no ${integer} primary key, body ${text} not null)`,
    `insert into ${model}_bodies (content_no, body) select content_no, body from ${model}_contents order by content_no`,
    `alter table ${model}_contents drop column body`,
  ]);
}
