import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authorChoicesQuery } from '../authors/author-queries.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';

interface AuthorSelectProps {
  readonly site: string;
  readonly value: string | null;
  /** What the saved author is called. */
  readonly known: { readonly id: string | null; readonly name: string | null };
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (author: string | null) => void;
}

const SEARCH_PAUSE_MS = 200;

export function AuthorSelect({ site, value, known, error, isReadOnly, onChange }: AuthorSelectProps) {
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
      // The name of who is chosen stands in the input too, and is no search.
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
