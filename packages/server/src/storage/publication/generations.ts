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
import { defineStatement, EMPTY_RESULT, type Procedure, query, type SlotValues, slot } from '../statement.ts';

export interface Move {
  readonly isPublic: boolean;
  readonly isOfCatalog: boolean;
}

const catalog = sql`case when ${slot('isOfCatalog')} = 1 then ${next('catalog')} else catalog end`;
const updateNumbers = defineStatement(
  () => sql`update sites set preview_generation = ${next('preview_generation')}, catalog = ${catalog},
    generation = case when ${slot('isPublic')} = 1 then ${next('generation')} else generation end,
    shown_catalog = case when ${slot('isPublic')} = 1 then ${catalog} else shown_catalog end
    where no = ${slot('no')}`,
);

function next(column: string): RawBuilder<unknown> {
  const number = sql.ref(column);
  return sql`case when ${number} >= ${slot('now')} then ${number} + 1 else ${slot('now')} end`;
}

export function* moveGenerations(siteNo: number, { isPublic, isOfCatalog }: Move, now: number): Procedure<void> {
  yield* query(updateNumbers, { no: siteNo, now, isPublic: Number(isPublic), isOfCatalog: Number(isOfCatalog) });
}

/** Does the work of a transaction, and moves the numbers of each site once, at its end: nobody sees what is in between. */
export async function moveOnce<Outcome>(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Outcome>,
): Promise<Outcome> {
  const moves = new Map<number, SlotValues>();
  const outcome = await work({
    run: (procedure) => transaction.run(collectMoves(procedure, moves)),
    fill: (mayGo, filling) => transaction.fill(mayGo, filling),
  });
  for (const values of moves.values()) await transaction.run(query(updateNumbers, values));
  return outcome;
}

function* collectMoves<Outcome>(procedure: Procedure<Outcome>, moves: Map<number, SlotValues>): Procedure<Outcome> {
  let step = procedure.next(EMPTY_RESULT);
  while (step.done !== true) {
    const { statement, values } = step.value;
    const isMove = statement === updateNumbers;
    if (isMove) addMove(moves, values);
    step = procedure.next(isMove ? EMPTY_RESULT : yield step.value);
  }
  return step.value;
}

function addMove(moves: Map<number, SlotValues>, values: SlotValues): void {
  const known = moves.get(Number(values.no));
  const either = (name: 'isPublic' | 'isOfCatalog'): number => Number(known?.[name] === 1 || values[name] === 1);
  moves.set(Number(values.no), { ...values, isPublic: either('isPublic'), isOfCatalog: either('isOfCatalog') });
}
