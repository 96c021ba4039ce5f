import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authorChoicesQuery, authorQuery } from '../authors/author-queries.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';

const TYPING_PAUSE_MS = 200;

interface AuthorFilterProps {
  readonly site: string;
  readonly author: string | undefined;
  readonly onChange: (author: string | undefined) => void;
}

/** A site may have thousands of authors: those that fit what is typed are asked for. */
export function AuthorFilter({ site, author, onChange }: AuthorFilterProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const { data: chosen } = useQuery({ ...authorQuery(site, author ?? ''), enabled: author !== undefined });
  // What stands in the field once an author is chosen is no search.
  const { data: found = [] } = useQuery(authorChoicesQuery(site, search === chosen?.name ? '' : search));
  const isListed = found.some(({ id }) => id === author);
  const choices = author === undefined || isListed || chosen === undefined ? found : [chosen, ...found];
  return (
    <Select
      aria-label={CONTENT_TEXTS.author}
      placeholder={CONTENT_TEXTS.anyAuthor}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={author ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      nothingFoundMessage={CONTENT_TEXTS.noAuthorFound}
      searchable
      clearable
    />
  );
}
