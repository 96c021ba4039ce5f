import { useDraft } from '../editor/draft-context.ts';
import { findFault } from '../editor/find-fault.ts';
import { buildSeo, buildSeoPath, readSeo, type SeoValues } from './seo-values.ts';

export interface SeoFields {
  readonly values: SeoValues;
  readonly set: <Name extends keyof SeoValues>(name: Name, value: SeoValues[Name]) => void;
  /** What is wrong with a field, for Mantine's `error`. */
  readonly errorOf: (name: keyof SeoValues) => string | undefined;
}

/** The SEO of the draft: what is changed here is kept and saved like the rest of it. */
export function useSeo(): SeoFields {
  const { draft, state } = useDraft();
  return {
    values: readSeo(state.values.seo),
    set: (name, value) =>
      draft.change((known) => ({ ...known, seo: buildSeo({ ...readSeo(known.seo), [name]: value }) })),
    errorOf: (name) => findFault(state.faults, buildSeoPath(name)),
  };
}
