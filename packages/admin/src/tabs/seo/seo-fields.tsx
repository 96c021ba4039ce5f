// The inputs on the SEO tab. They change the draft, and are saved with it.

import { Autocomplete, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { nameSeoField } from '../../content/say-fault.ts';
import { useDraft, useDraftState } from '../../editor/use-draft.ts';
import { Card } from '../../elements/card.tsx';
import { ExactNumberInput } from '../../forms/exact-number-input.tsx';
import type { BoundText, TextName } from '../../forms/use-api-form.ts';
import { findFault } from '../../texts/fault-texts.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { buildSeo, buildSeoPath, readSeo, type SeoValues } from './seo-values.ts';

interface SeoFields {
  readonly values: SeoValues;
  readonly set: <Name extends keyof SeoValues>(name: Name, value: SeoValues[Name]) => void;
  readonly textOf: (name: TextName<SeoValues>) => BoundText;
  /** The error for a field, to pass to Mantine's `error` property. */
  readonly errorOf: (name: keyof SeoValues) => string | undefined;
}

export function useSeo(): SeoFields {
  const draft = useDraft();
  const faults = useDraftState((state) => state.faults);
  const values = readSeo(useDraftState((state) => state.values.seo));
  const set = <Name extends keyof SeoValues>(name: Name, value: SeoValues[Name]): void =>
    draft.change((known) => ({ ...known, seo: buildSeo({ ...readSeo(known.seo), [name]: value }) }));
  const errorOf = (name: keyof SeoValues): string | undefined => findFault(faults, buildSeoPath(name), labelSeo(name));
  return {
    values,
    set,
    errorOf,
    textOf: (name) => ({
      label: labelSeo(name),
      value: values[name],
      onChange: (event) => set(name, event.currentTarget.value),
      error: errorOf(name),
    }),
  };
}

function labelSeo(name: keyof SeoValues): string {
  return nameSeoField(buildSeoPath(name));
}

/** Approximately how many characters search engines show. */
const MOST_TITLE = 60;
const MOST_DESCRIPTION = 160;
const ROBOTS = ['noindex', 'noindex, nofollow', 'nofollow', 'noarchive'];

interface SearchFieldsProps {
  readonly seo: SeoFields;
  /** The name of the content, including unsaved changes. */
  readonly name: string;
  readonly isReadOnly: boolean;
}

export function SearchFields({ seo: { values, set, textOf, errorOf }, name, isReadOnly }: SearchFieldsProps) {
  return (
    <Card title={TAB_TEXTS.searchResult}>
      <TextInput
        description={describeLength(values.title, MOST_TITLE, TAB_TEXTS.seoTitleHelp)}
        placeholder={name}
        readOnly={isReadOnly}
        {...textOf('title')}
      />
      <Textarea
        description={describeLength(values.description, MOST_DESCRIPTION, TAB_TEXTS.seoDescriptionHelp)}
        autosize
        minRows={3}
        readOnly={isReadOnly}
        {...textOf('description')}
      />
      <Autocomplete
        label={labelSeo('robots')}
        description={TAB_TEXTS.robotsHelp}
        data={ROBOTS}
        readOnly={isReadOnly}
        value={values.robots}
        onChange={(robots) => set('robots', robots)}
        error={errorOf('robots')}
      />
      <TextInput description={TAB_TEXTS.canonicalHelp} type="url" readOnly={isReadOnly} {...textOf('canonical_url')} />
    </Card>
  );
}

function describeLength(text: string, most: number, help: string): string {
  if (text === '') return help;
  const count = [...text].length;
  return count > most ? TAB_TEXTS.seoTooLong(count, most) : TAB_TEXTS.seoCount(count, most);
}

interface LinkPreviewFieldsProps {
  readonly seo: SeoFields;
  /** The name of the content, including unsaved changes. */
  readonly name: string;
  /** The URL of the content; null if the site has none. */
  readonly url: string | null;
  readonly isReadOnly: boolean;
}

export function LinkPreviewFields({ seo, name, url, isReadOnly }: LinkPreviewFieldsProps) {
  const { values, set, textOf, errorOf } = seo;
  return (
    <Card title={TAB_TEXTS.openGraph} intro={TAB_TEXTS.openGraphIntro}>
      <TextInput
        placeholder={values.title === '' ? name : values.title}
        readOnly={isReadOnly}
        {...textOf('og_title')}
      />
      <Textarea
        placeholder={values.description}
        autosize
        minRows={2}
        readOnly={isReadOnly}
        {...textOf('og_description')}
      />
      <TextInput type="url" readOnly={isReadOnly} {...textOf('og_image_secure_url')} />
      <TextInput readOnly={isReadOnly} {...textOf('og_image_alt')} />
      <SimpleGrid cols={2}>
        <ExactNumberInput
          label={labelSeo('og_image_width')}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          readOnly={isReadOnly}
          value={values.og_image_width}
          onChange={(width) => set('og_image_width', width)}
          error={errorOf('og_image_width')}
        />
        <ExactNumberInput
          label={labelSeo('og_image_height')}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          readOnly={isReadOnly}
          value={values.og_image_height}
          onChange={(height) => set('og_image_height', height)}
          error={errorOf('og_image_height')}
        />
      </SimpleGrid>
      <TextInput type="url" placeholder={url ?? ''} readOnly={isReadOnly} {...textOf('og_url')} />
    </Card>
  );
}
