import { useDraft } from '../editor/draft-context.ts';
import { findFault } from '../editor/say-fault.ts';
import type { BoundText, TextName } from '../forms/use-api-form.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { buildSeo, buildSeoPath, readSeo, type SeoValues } from './seo-values.ts';

export interface SeoFields {
  readonly values: SeoValues;
  readonly set: <Name extends keyof SeoValues>(name: Name, value: SeoValues[Name]) => void;
  readonly textOf: (name: TextName<SeoValues>) => BoundText;
  /** What is wrong with a field, for Mantine's `error`. */
  readonly errorOf: (name: keyof SeoValues) => string | undefined;
}

/** The SEO of the draft: what is changed here is kept and saved like the rest of it. */
export function useSeo(): SeoFields {
  const { draft, state } = useDraft();
  const values = readSeo(state.values.seo);
  const set = <Name extends keyof SeoValues>(name: Name, value: SeoValues[Name]): void =>
    draft.change((known) => ({ ...known, seo: buildSeo({ ...readSeo(known.seo), [name]: value }) }));
  const errorOf = (name: keyof SeoValues): string | undefined =>
    findFault(state.faults, buildSeoPath(name), EDITOR_TEXTS.parts.seo);
  return {
    values,
    set,
    errorOf,
    textOf: (name) => ({
      value: values[name],
      onChange: (event) => set(name, event.currentTarget.value),
      error: errorOf(name),
    }),
  };
}
