// The parts that a segment of a list is merged from. Each part fixes everything that an index starts with: the read
// model, the language, and the content type or field; the database merges parts that are each in order.

import type { ListPlan, PlannedType } from './list-plan.ts';
import type { Segment } from './segments.ts';

export type ReadModel = 'published' | 'preview';

/** Where a part's rows come from, and in which order an index gives them. */
export type BranchSource =
  | { readonly kind: 'contents'; readonly typeNo: number | null }
  /** Content of one type without a value in a field, found by looking each one up. */
  | { readonly kind: 'contents-lacking'; readonly typeNo: number; readonly fieldNo: number }
  /** The values of one field, or the marks of content without one. */
  | { readonly kind: 'values'; readonly fieldNo: number };

export interface Branch {
  readonly model: ReadModel;
  /** Of the fallback language, only groups without a record in the asked one. */
  readonly isFallback: boolean;
  readonly source: BranchSource;
}

export function listBranches(plan: ListPlan, segment: Segment): readonly Branch[] {
  const models: readonly ReadModel[] = plan.audience === 'preview' ? ['published', 'preview'] : ['published'];
  const languages = plan.fallback === null ? [false] : [false, true];
  const sources = listSources(plan, segment);
  return models.flatMap((model) =>
    languages.flatMap((isFallback) => sources.map((source) => ({ model, isFallback, source }))),
  );
}

function listSources(plan: ListPlan, segment: Segment): readonly BranchSource[] {
  const [lead] = plan.sorts;
  const [condition] = segment.keys;
  if (plan.types === null) return [{ kind: 'contents', typeNo: null }];
  if (lead?.kind !== 'field' || condition === 'any') {
    return plan.types.map((type) => ({ kind: 'contents', typeNo: type.typeNo }));
  }
  if (condition === 'missing') return plan.types.map(sourceWithoutValue);
  return plan.types.flatMap((type) => (type.field === null ? [] : [{ kind: 'values', fieldNo: type.field.no }]));
}

function sourceWithoutValue({ typeNo, field }: PlannedType): BranchSource {
  if (field === null) return { kind: 'contents', typeNo };
  if (field.marksMissing) return { kind: 'values', fieldNo: field.no };
  return { kind: 'contents-lacking', typeNo, fieldNo: field.no };
}
