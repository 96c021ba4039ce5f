// Allows a field filter's matches to be counted and collected from an index alone: tokens are stored by language, content whose switch is
// off is marked, and the index on text values contains digests for comparing them.

import type { ColumnTypes } from '../engine.ts';

export function countFilteredLists(types: ColumnTypes): readonly string[] {
  return (['published', 'preview'] as const).flatMap((model) => prepareModel(model, types));
}

function prepareModel(model: 'published' | 'preview', { integer, text, narrowTable }: ColumnTypes): readonly string[] {
  const tokens = `${model}_tokens`;
  const contents = `${model}_contents`;
  return [
    `alter table ${tokens} rename to ${tokens}_before`,
    `create table ${tokens} (
      field_no ${integer} not null, token ${text} not null, language ${text} not null, content_no ${integer} not null,
      primary key (field_no, token, language, content_no)
    ) ${narrowTable}`,
    `insert into ${tokens} (field_no, token, language, content_no)
      select t.field_no, t.token, p.language, t.content_no from ${tokens}_before as t
      join ${contents} as p on p.content_no = t.content_no`,
    `insert into ${tokens} (field_no, token, language, content_no)
      select f.no, '0', p.language, p.content_no from fields as f join ${contents} as p on p.type_no = f.type_no
      where f.type = 'boolean' and f.marks_missing = 1 and not exists (select 1 from ${tokens}_before as t
        where t.field_no = f.no and t.token = '1' and t.content_no = p.content_no)`,
    `drop table ${tokens}_before`,
    `create index ${tokens}_content on ${tokens} (content_no)`,
    `drop index ${model}_texts_asc`,
    `create index ${model}_texts_asc on ${model}_texts (field_no, language, key, id, digest)`,
  ];
}
