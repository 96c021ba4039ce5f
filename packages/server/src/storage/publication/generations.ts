// The numbers of a site by which others know that something has changed:
// - `generation`: what the public can see. Cached answers are found by it.
// - `preview_generation`: anything of the site, drafts included.
// - `catalog`: what the site is made of. The catalog and the authors that readers remember are found by it.
// - `shown_catalog`: the catalog as it was when the public generation last moved. Public ETags are made of it. It must not
//   lag behind that: content that comes back as it was may show an author that was renamed meanwhile.
// All are times, so that no other history of the same database (a backup that was brought back, a replica that was
// promoted) has used them.

import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../engine.ts';
import { defineStatement, EMPTY_RESULT, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface Move {
  readonly isPublic: boolean;
  readonly isOfCatalog: boolean;
}

const MOVES: readonly (Move & { readonly statement: Statement })[] = [
  defineMove({ isPublic: false, isOfCatalog: false }),
  defineMove({ isPublic: true, isOfCatalog: false }),
  defineMove({ isPublic: false, isOfCatalog: true }),
  defineMove({ isPublic: true, isOfCatalog: true }),
];

function defineMove({ isPublic, isOfCatalog }: Move): Move & { readonly statement: Statement } {
  const catalog = isOfCatalog ? next('catalog') : sql.ref('catalog');
  const sets = [
    sql`preview_generation = ${next('preview_generation')}`,
    ...(isOfCatalog ? [sql`catalog = ${catalog}`] : []),
    ...(isPublic ? [sql`generation = ${next('generation')}, shown_catalog = ${catalog}`] : []),
  ];
  const statement = defineStatement(() => sql`update sites set ${sql.join(sets)} where no = ${slot('no')}`);
  return { isPublic, isOfCatalog, statement };
}

function next(column: string): RawBuilder<unknown> {
  const number = sql.ref(column);
  return sql`case when ${number} >= ${slot('now')} then ${number} + 1 else ${slot('now')} end`;
}

export function* moveGenerations(siteNo: number, { isPublic, isOfCatalog }: Move, now: number): Procedure<void> {
  const move = MOVES.find((each) => each.isPublic === isPublic && each.isOfCatalog === isOfCatalog);
  if (move !== undefined) yield* query(move.statement, { no: siteNo, now });
}

/** The same transaction, in which each move of a site is made once: nobody sees what is in between. */
export function moveOnce(transaction: Transaction): Transaction {
  const made = new Set<string>();
  return {
    run: (procedure) => transaction.run(leaveOutRepeated(procedure, made)),
    fill: (mayGo, work) => transaction.fill(mayGo, work),
  };
}

function* leaveOutRepeated<Outcome>(procedure: Procedure<Outcome>, made: Set<string>): Procedure<Outcome> {
  let step = procedure.next(EMPTY_RESULT);
  while (step.done !== true) {
    const { statement, values } = step.value;
    const index = MOVES.findIndex((move) => move.statement === statement);
    const name = index === -1 ? undefined : `${index} ${values.no}`;
    const isRepeated = name !== undefined && made.has(name);
    // Where the catalog moves, what is shown of it must follow with the next public move.
    if (!isRepeated && MOVES[index]?.isOfCatalog) forgetPublic(made, values.no);
    if (name !== undefined) made.add(name);
    step = procedure.next(isRepeated ? EMPTY_RESULT : yield step.value);
  }
  return step.value;
}

function forgetPublic(made: Set<string>, siteNo: unknown): void {
  for (const [index, { isPublic }] of MOVES.entries()) if (isPublic) made.delete(`${index} ${siteNo}`);
}
