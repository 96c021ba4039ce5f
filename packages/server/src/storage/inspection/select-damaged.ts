// Content whose stored text is not what was written, found by the digest that each body carries.

import { sql } from 'kysely';
import { decodeBody, isWhole } from '../../content/body.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface DamagedContents {
  readonly total: number;
  /** The first of them. */
  readonly ids: readonly string[];
}

interface BodyRow {
  readonly no: number;
  readonly id: string;
  readonly body: string;
}

/** A body may be some megabytes. */
const BODIES_AT_ONCE = 50;
const DAMAGED_SHOWN = 20;

const selectBodies: Readonly<Record<ReadModel, Statement>> = {
  published: defineBodies('published'),
  preview: defineBodies('preview'),
};

function defineBodies(model: ReadModel): Statement {
  return defineStatement(
    () => sql`select m.content_no as no, m.id, b.body from ${sql.table(`${model}_bodies`)} as b
      join ${sql.table(`${model}_contents`)} as m on m.content_no = b.content_no
      where b.content_no > ${slot('after')} order by b.content_no limit ${slot('limit')} + 0`,
  );
}

export function* selectDamaged(model: ReadModel): Procedure<DamagedContents> {
  let total = 0;
  const ids: string[] = [];
  let after = 0;
  while (true) {
    const rows = yield* query<BodyRow>(selectBodies[model], { after, limit: BODIES_AT_ONCE });
    for (const { id, body } of rows) {
      if (isWhole(decodeBody(body), id)) continue;
      total += 1;
      if (ids.length < DAMAGED_SHOWN) ids.push(id);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BODIES_AT_ONCE) return { total, ids };
    after = last.no;
  }
}
