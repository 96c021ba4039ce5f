// The two views of a site's content. Everything that differs between public and preview readers is defined here, and a view is chosen only
// once, when a request starts to read.

import { type RawBuilder, sql } from 'kysely';
import { SHARED_ROOM } from '../content/answer-limit.ts';
import { type BatchStatement, defineBatchStatement } from './batch.ts';
import { bodyUnlessLarge, bodyUpTo } from './lists/content-rows.ts';
import { isBodyOf, isNotShadowed, joinBodies, type ReadModel } from './publication/read-model.ts';
import { defineStatement, type Statement, slot } from './statement.ts';

type Fragment = RawBuilder<unknown>;

/** `public` readers see only published versions; `preview` readers see the newest saved version of everything. */
export type Audience = 'public' | 'preview';

interface ViewFacts {
  readonly audience: Audience;
  readonly models: readonly ReadModel[];
  /** The model whose rows are hidden by newer versions in the other model; null if there is only one model. */
  readonly shadowed: ReadModel | null;
  /** Whether the view contains unpublished content. If so, the view can change while the public generation stays the same. */
  readonly showsUnpublished: boolean;
}

export interface View extends ViewFacts {
  /** The row that `openRow` expects. The main thread does not read bodies that are too large for it. */
  readonly selectById: Statement;
  readonly selectInLanguage: Statement;
  /** Finds only records that the reader may see. Otherwise the id of an unpublished record would lead to its translations. */
  readonly selectGroup: Statement;
  /** Leaves out large bodies. */
  readonly selectRows: BatchStatement;
  readonly selectBodies: BatchStatement;
  readonly sumBodies: BatchStatement;
  readonly selectVisibleIds: BatchStatement;
}

export const VIEWS: Readonly<Record<Audience, View>> = {
  public: defineView({ audience: 'public', models: ['published'], shadowed: null, showsUnpublished: false }),
  preview: defineView({
    audience: 'preview',
    models: ['published', 'preview'],
    shadowed: 'published',
    showsUnpublished: true,
  }),
};

function defineView(facts: ViewFacts): View {
  const unite = (select: (model: ReadModel) => Fragment): Fragment => buildUnion(facts, 'p', select);
  const selectRow = (isWanted: Fragment): Statement =>
    defineStatement(() =>
      unite(
        (model) => sql`select p.id, ${bodyUpTo(SHARED_ROOM.bytesRead)} from ${sql.raw(`${model}_contents`)} as p
          ${joinBodies(model)} where p.site_no = ${slot('site')} and ${isWanted} and ${isBodyOf('p')}`,
      ),
    );
  const selectMany = (columns: Fragment): BatchStatement =>
    defineBatchStatement((list) =>
      unite(
        (model) => sql`select ${columns} from ${sql.table(`${model}_contents`)} as p ${joinBodies(model)}
          where p.site_no = ${slot('site')} and p.id in (${list}) and ${isBodyOf('p')}`,
      ),
    );
  const groups = facts.models.map(
    (model) => sql`select translation_group from ${sql.raw(`${model}_contents`)}
      where site_no = ${slot('site')} and id = ${slot('id')}`,
  );
  return {
    ...facts,
    selectById: selectRow(sql`p.id = ${slot('id')}`),
    selectInLanguage: selectRow(sql`p.language = ${slot('language')} and p.translation_group = ${slot('group')}`),
    selectGroup: defineStatement(() => sql.join(groups, sql` union `)),
    selectRows: selectMany(sql`p.id, ${bodyUnlessLarge}`),
    selectBodies: selectMany(sql`p.id, b.body`),
    sumBodies: selectMany(sql`coalesce(sum(octet_length(b.body)), 0) as bytes`),
    selectVisibleIds: defineBatchStatement((list) =>
      unite(
        (model) => sql`select p.id from ${sql.table(`${model}_contents`)} as p
          where p.site_no = ${slot('site')} and p.id in (${list})`,
      ),
    ),
  };
}

/**
 * Selects from each model of a view, without the hidden rows.
 * @param alias the alias of the table that has the object's number
 * @param select ends with a condition
 */
export function buildUnion(
  { models, shadowed }: Pick<View, 'models' | 'shadowed'>,
  alias: string,
  select: (model: ReadModel) => Fragment,
): Fragment {
  const parts = models.map((model) =>
    model === shadowed ? sql`${select(model)} and ${isNotShadowed(alias)}` : select(model),
  );
  return sql.join(parts, sql` union all `);
}
