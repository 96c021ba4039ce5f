// The generation of a site counts only what the public can see. Previews have a generation of their own, so a saved draft
// leaves cached answers where they are. ETags hold a version of the catalog that moves with the public generation alone.

import type { ColumnTypes } from '../engine.ts';

export function setGenerationsApart({ integer }: ColumnTypes): readonly string[] {
  return [
    `alter table sites add column preview_generation ${integer} not null default 0`,
    `alter table sites add column shown_catalog ${integer} not null default 0`,
    // What clients hold from before stays valid.
    'update sites set preview_generation = generation, shown_catalog = catalog',
  ];
}
