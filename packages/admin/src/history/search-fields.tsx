import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { Card } from '../elements/card.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import type { SeoFields } from './use-seo.ts';

/** About what search engines show before they cut. */
const MOST_TITLE = 60;
const MOST_DESCRIPTION = 160;
const ROBOTS = ['noindex', 'noindex, nofollow', 'nofollow', 'noarchive'];

interface SearchFieldsProps {
  readonly seo: SeoFields;
  /** The name of the content, as it is being written. */
  readonly name: string;
  readonly isReadOnly: boolean;
}

export function SearchFields({ seo: { values, set, textOf, errorOf }, name, isReadOnly }: SearchFieldsProps) {
  return (
    <Card title={HISTORY_TEXTS.searchResult}>
      <TextInput
        label={HISTORY_TEXTS.seoTitle}
        description={describeLength(values.title, MOST_TITLE, HISTORY_TEXTS.seoTitleHelp)}
        placeholder={name}
        readOnly={isReadOnly}
        {...textOf('title')}
      />
      <Textarea
        label={HISTORY_TEXTS.seoDescription}
        description={describeLength(values.description, MOST_DESCRIPTION, HISTORY_TEXTS.seoDescriptionHelp)}
        autosize
        minRows={3}
        readOnly={isReadOnly}
        {...textOf('description')}
      />
      <Autocomplete
        label={HISTORY_TEXTS.robots}
        description={HISTORY_TEXTS.robotsHelp}
        data={ROBOTS}
        readOnly={isReadOnly}
        value={values.robots}
        onChange={(robots) => set('robots', robots)}
        error={errorOf('robots')}
      />
      <TextInput
        label={HISTORY_TEXTS.canonical}
        description={HISTORY_TEXTS.canonicalHelp}
        type="url"
        readOnly={isReadOnly}
        {...textOf('canonical_url')}
      />
    </Card>
  );
}

function describeLength(text: string, most: number, help: string): string {
  if (text === '') return help;
  const count = [...text].length;
  return count > most ? HISTORY_TEXTS.seoTooLong(count, most) : HISTORY_TEXTS.seoCount(count, most);
}
