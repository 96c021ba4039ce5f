// Splits a segment into parts that the database merges. Each part fixes all columns that an index starts with (the read model, the
// language, and the content type or field), so each part is in order. If there are more parts than a database can merge, they are
// combined into a few, and the database sorts them.

import type { ReadModel } from '../publication/read-model.ts';
import { isAscending, type ListPlan, type PlannedType } from './list-plan.ts';
import { bindFilters } from './planned-filters.ts';
import { listRangesOf, type Segment } from './segments.ts';

/** The source of a part's rows. With a single type or field, an index provides them in order. If `typeNos` is null, all types match. */
export type BranchSource =
  | { readonly kind: 'contents'; readonly typeNos: readonly number[] | null }
  /** Content without a value in a field. Each object must be looked up. */
  | { readonly kind: 'contents-lacking'; readonly typeNos: readonly number[]; readonly fieldNos: readonly number[] }
  /** The values of a field, or the marks for content without a value. */
  | { readonly kind: 'values'; readonly typeNos: readonly number[]; readonly fieldNos: readonly number[] }
  /**
   * All objects that the plan gathers (settle-plan.ts); the database sorts them. If `fieldNos` is null, whole objects are looked up, not
   * just values.
   */
  | {
      readonly kind: 'gathered';
      readonly typeNos: readonly number[] | null;
      readonly fieldNos: readonly number[] | null;
    };

/**
 * `rows` have an id, a body (unless it is large) and the sort keys. A `probe` has no body. `skip` returns a single row after an offset.
 */
export type ListOutput = 'rows' | 'probe' | 'skip' | 'count';

/** The checks that are made last. `version` checks whether a preview or a translation replaces the object. */
export type LastChecks = 'none' | 'version' | 'version and filters';

export interface Branch {
  readonly model: ReadModel;
  readonly lastChecks: LastChecks;
  /** Whether the part reads records in the fallback language, but only for groups without a record in the requested language. */
  readonly isFallback: boolean;
  readonly source: BranchSource;
}

/** SQLite merges at most 500 parts, and binds at most 32,766 values. */
const MOST_BRANCHES = 250;
const MOST_VALUES = 30_000;

export function listBranches(plan: ListPlan, segment: Segment, output: ListOutput): readonly Branch[] {
  const lastChecks = chooseLastChecks(plan, output);
  const { models } = plan.view;
  const languages = plan.fallback === null ? [false] : [false, true];
  const { gathersBy } = plan;
  const apart = gathersBy === null ? listSources(plan, segment) : gatherSources(plan, segment, lastChecks);
  const count = apart.length * models.length * languages.length * listRangesOf(segment, isAscending(plan)).length;
  const isTooMuch = count * countJoins(plan) > MOST_BRANCHES || count * countValues(plan) > MOST_VALUES;
  const joined = gathersBy === null ? joinSources(plan, segment) : [gather(plan)];
  const sources = isTooMuch ? joined : apart;
  return models.flatMap((model) =>
    languages.flatMap((isFallback) => sources.map((source) => ({ model, lastChecks, isFallback, source }))),
  );
}

/** If most of a large number of gathered objects pass a check, they are sorted first, and then checked only until the page is full. */
function chooseLastChecks({ gathersBy, gathersMany, keepsMost }: ListPlan, output: ListOutput): LastChecks {
  if (gathersBy === null || !gathersMany || output !== 'rows') return 'none';
  return keepsMost ? 'version and filters' : 'version';
}

/** If the values of one field are sufficient to build the list, the objects themselves are not looked up. */
function gatherSources(plan: ListPlan, segment: Segment, lastChecks: LastChecks): readonly BranchSource[] {
  const { types, sorts, fallback } = plan;
  const [lead] = sorts;
  if (types === null || lead?.kind !== 'field' || !needsOnlyValues(plan, fallback !== null, lastChecks))
    return [gather(plan)];
  const withoutMissing = ['onward', 'present'].includes(segment.keys[0] ?? 'any');
  // A mark identifies an object without a value. If the field has no marks, the object itself is looked up.
  const told = types.filter(({ field }) => field !== null && (withoutMissing || field.marksMissing));
  const untold = withoutMissing ? [] : types.filter((type) => !told.includes(type));
  const fieldNos = told.flatMap(({ field }) => field?.no ?? []);
  return [
    ...(told.length === 0 ? [] : [{ kind: 'gathered', typeNos: numbersOf(told), fieldNos } as const]),
    ...(untold.length === 0 ? [] : [{ kind: 'gathered', typeNos: numbersOf(untold), fieldNos: null } as const]),
  ];
}

function numbersOf(types: readonly PlannedType[]): readonly number[] {
  return types.map(({ typeNo }) => typeNo);
}

function gather({ filters }: ListPlan): BranchSource {
  return { kind: 'gathered', typeNos: filters.typeNos, fieldNos: null };
}

function listSources(plan: ListPlan, segment: Segment): readonly BranchSource[] {
  if (plan.types === null) return [{ kind: 'contents', typeNos: null }];
  if (!readsLeadingField(plan, segment)) {
    return plan.types.map((type) => ({ kind: 'contents', typeNos: [type.typeNo] }));
  }
  if (segment.keys[0] === 'missing') return plan.types.map(sourceWithoutValue);
  return plan.types.flatMap(({ typeNo, field }) =>
    field === null ? [] : [{ kind: 'values', typeNos: [typeNo], fieldNos: [field.no] }],
  );
}

function readsLeadingField({ sorts }: ListPlan, { keys }: Segment): boolean {
  return sorts[0]?.kind === 'field' && keys[0] !== 'any';
}

function sourceWithoutValue({ typeNo, field }: PlannedType): BranchSource {
  if (field === null) return { kind: 'contents', typeNos: [typeNo] };
  if (field.marksMissing) return { kind: 'values', typeNos: [typeNo], fieldNos: [field.no] };
  return { kind: 'contents-lacking', typeNos: [typeNo], fieldNos: [field.no] };
}

/** Reads the same rows from a single source. */
function joinSources(plan: ListPlan, segment: Segment): readonly BranchSource[] {
  if (plan.types === null) return [{ kind: 'contents', typeNos: null }];
  const typeNos = numbersOf(plan.types);
  const fieldNos = plan.types.flatMap((type) => type.field?.no ?? []);
  if (!readsLeadingField(plan, segment)) return [{ kind: 'contents', typeNos }];
  if (segment.keys[0] !== 'missing') return [{ kind: 'values', typeNos, fieldNos }];
  return fieldNos.length === 0 ? [{ kind: 'contents', typeNos }] : [{ kind: 'contents-lacking', typeNos, fieldNos }];
}

/** Each additional key or filter makes a part slower to prepare, and the database sorts parts with several keys anyway. */
function countJoins({ filters, sorts }: ListPlan): number {
  return Math.max(1, sorts.length + filters.fields.length);
}

/** The maximum number of values that one part binds. */
function countValues({ filters, sorts }: ListPlan): number {
  return Object.keys(bindFilters(filters)).length * 2 + filters.fields.length * 3 + sorts.length + 8;
}

/** The table that a part starts from: the values of a field, or the objects. */
export function walkedOf(source: BranchSource): 'p' | 'v0' {
  return source.kind === 'values' || (source.kind === 'gathered' && source.fieldNos !== null) ? 'v0' : 'p';
}

/** The alias of the table with the object's number. A list sorted by one field usually reads only the index on its values. */
export function carrierOf(plan: ListPlan, { source, isFallback, lastChecks }: Branch): 'p' | 'v0' {
  return needsOnlyValues(plan, isFallback, lastChecks) ? walkedOf(source) : 'p';
}

/** Whether the values of the leading field are sufficient: no other key, author, slug or translation is needed to sort the rows. */
function needsOnlyValues(
  { sorts, filters, gathersBy }: ListPlan,
  isFallback: boolean,
  lastChecks: LastChecks,
): boolean {
  const knowsAuthor = gathersBy === 'authors' || gathersBy === 'all' || lastChecks === 'version and filters';
  const needsAuthor = filters.authorIds !== null && !knowsAuthor;
  const needsGroup = isFallback && lastChecks === 'none';
  return sorts.length === 1 && !needsAuthor && !needsGroup && filters.slugs === null;
}
