import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authorChoicesQuery } from '../authors/author-queries.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { Facts } from '../elements/facts.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { findFault } from '../texts/fault-texts.ts';
import classes from './edit-page.module.css';
import { useDraft, useDraftState } from './use-draft.ts';

const SEARCH_PAUSE_MS = 200;

interface EditAsideProps {
  readonly site: string;
  readonly typeName: string;
  readonly isReadOnly: boolean;
}

export function EditAside({ site, typeName, isReadOnly }: EditAsideProps) {
  const draft = useDraft();
  const nameLanguage = useLanguageNames(site);
  const content = useDraftState((state) => state.content);
  const faults = useDraftState((state) => state.faults);
  const slug = useDraftState(({ values }) => values.slug);
  const author = useDraftState(({ values }) => values.author);
  const slugError = findFault(faults, 'slug', EDITOR_TEXTS.slug);
  return (
    <Card>
      <TextInput
        label={EDITOR_TEXTS.slug}
        description={
          <>
            {EDITOR_TEXTS.addressOf(content.url ?? `/${content.path}`)}
            {slug === null && slugError === undefined && (
              <span className={classes.hint}>{EDITOR_TEXTS.slugFollows}</span>
            )}
          </>
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ description: classes.address }}
        readOnly={isReadOnly}
        value={slug ?? content.slug}
        error={slugError}
        data-faulty={slugError === undefined ? undefined : true}
        onChange={({ currentTarget: { value } }) => draft.change((known) => ({ ...known, slug: value }))}
        onBlur={() => {
          if (slug !== '') return;
          const usual = content.state === 'draft' ? null : content.slug;
          draft.change((known) => ({ ...known, slug: usual }));
        }}
      />
      <AuthorSelect
        site={site}
        value={author}
        known={{ id: content.author, name: content.author_name }}
        error={findFault(faults, 'author', EDITOR_TEXTS.author)}
        isReadOnly={isReadOnly}
        onChange={(next) => draft.change((known) => ({ ...known, author: next }))}
      />
      <Facts
        isNarrow
        facts={[
          { name: EDITOR_TEXTS.contentType, value: typeName },
          { name: EDITOR_TEXTS.language, value: nameLanguage(content.language) },
          { name: EDITOR_TEXTS.version, value: content.version },
          { name: EDITOR_TEXTS.lastSaved, value: <TimeText value={content.updated_at} withTime /> },
          { name: EDITOR_TEXTS.savedBy, value: content.saved_by?.name ?? null },
          {
            name: EDITOR_TEXTS.publishedAt,
            value: content.published_at && <TimeText value={content.published_at} withTime />,
          },
          { name: EDITOR_TEXTS.id, value: <CopyableId id={content.id} what={EDITOR_TEXTS.contentId} /> },
        ]}
      />
    </Card>
  );
}

interface AuthorSelectProps {
  readonly site: string;
  readonly value: string | null;
  /** The saved author. */
  readonly known: { readonly id: string | null; readonly name: string | null };
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (author: string | null) => void;
}

function AuthorSelect({ site, value, known, error, isReadOnly, onChange }: AuthorSelectProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string }>();
  const [search] = useDebouncedValue(text, SEARCH_PAUSE_MS);
  const { data: choices = [] } = useQuery(authorChoicesQuery(site, search));
  const found = new Map(choices.map(({ id, name }) => [id, name]));
  if (known.id !== null && known.name !== null) found.set(known.id, known.name);
  if (chosen !== undefined) found.set(chosen.value, chosen.label);
  return (
    <Select
      label={EDITOR_TEXTS.author}
      placeholder={EDITOR_TEXTS.noAuthor}
      nothingFoundMessage={EDITOR_TEXTS.nothingFound}
      data={[...found].map(([id, name]) => ({ value: id, label: name }))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': EDITOR_TEXTS.clearOf(EDITOR_TEXTS.author) }}
      disabled={isReadOnly}
      // When an author is selected, the input contains their name, which is not a search term.
      onSearchChange={(next) => setText([...found.values()].includes(next) ? '' : next)}
      value={value}
      error={error}
      onChange={(author, option) => {
        setChosen(option ?? undefined);
        onChange(author);
      }}
    />
  );
}
