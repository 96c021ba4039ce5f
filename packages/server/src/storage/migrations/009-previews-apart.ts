// The public and previews apart. The generation of a site counts only what the public can see, and previews have one of their
// own, so a saved draft leaves cached answers where they are. ETags hold a version of the catalog that moves with the public
// generation alone. The keys of what has left previews are in a table of their own, which no public cursor leads to.

import type { ColumnTypes } from '../engine.ts';

export function setPreviewsApart(types: ColumnTypes): readonly string[] {
  const { integer } = types;
  return [
    `alter table sites add column preview_generation ${integer} not null default 0`,
    `alter table sites add column shown_catalog ${integer} not null default 0`,
    // What clients hold from before stays valid.
    'update sites set preview_generation = generation, shown_catalog = catalog',
    ...(['published', 'preview'] as const).flatMap((model) => createDepartedTable(model, types)),
    'drop table departed_keys',
  ];
}

/** Sort keys of content that has left a place in the order, for cursors that still stand there. */
function createDepartedTable(model: 'published' | 'preview', { integer, text }: ColumnTypes): readonly string[] {
  const table = `${model}_departed_keys`;
  return [
    `create table ${table} (
      site_no ${integer} not null, id ${text} not null, left_at ${integer} not null, keys ${text} not null
    )`,
    `insert into ${table} (site_no, id, left_at, keys)
      select site_no, id, left_at, keys from departed_keys where model = '${model}'`,
    `create index ${table}_id on ${table} (site_no, id)`,
    `create index ${table}_left_at on ${table} (left_at)`,
  ];
}
