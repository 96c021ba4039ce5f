// Separates published content from previews. A site's generation now changes only when something that the public can see changes.
// Previews have their own generation, so saving a draft leaves cached responses valid. ETags contain a catalog version that changes only
// with the public generation. Former sort keys from previews are in a separate table that public cursors cannot reach.

import type { ColumnTypes } from '../engine.ts';

export function setPreviewsApart(types: ColumnTypes): readonly string[] {
  const { integer } = types;
  return [
    `alter table sites add column preview_generation ${integer} not null default 0`,
    `alter table sites add column shown_catalog ${integer} not null default 0`,
    // Responses that clients have cached stay valid.
    'update sites set preview_generation = generation, shown_catalog = catalog',
    ...(['published', 'preview'] as const).flatMap((model) => createDepartedTable(model, types)),
    'drop table departed_keys',
  ];
}

/** Former sort keys of content whose position in the order has changed, for cursors that still point to the old position. */
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
