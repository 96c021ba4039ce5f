// The list's search box and filters. Their values are in the URL, which determines the list.

import type { ManagedTypeBody, SiteBody } from '@galley/wire';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, type RefObject, useEffect, useState } from 'react';
import { authorChoicesQuery, authorQuery } from '../authors/author-queries.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { nameLanguage } from '../texts/language-name.ts';
import classes from './content-filters.module.css';
import { type ContentSearch, countFilters, DEFAULT_SORT, isSort, isStatus } from './content-search.ts';

const TYPING_PAUSE_MS = 150;
const AUTHOR_TYPING_PAUSE_MS = 200;

interface ContentFiltersProps {
  readonly site: SiteBody;
  readonly types: readonly ManagedTypeBody[];
  readonly search: ContentSearch;
  readonly onChange: (change: ContentSearch) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** Moves the focus from the search box to the list. */
  readonly onLeaveDown: () => void;
}

/** Memoised, because it is the most expensive part of the page to render, and does not change while the list loads more rows. */
export const ContentFilters = memo(function ContentFilters(props: ContentFiltersProps) {
  const { site, types, search, onChange, searchRef, onLeaveDown } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = countFilters(search);
  return (
    <div className={classes.filters}>
      <SearchInput value={search.search ?? ''} onChange={onChange} searchRef={searchRef} onLeaveDown={onLeaveDown} />
      <Button
        className={classes.toggle}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {count === 0 ? CONTENT_TEXTS.filters : CONTENT_TEXTS.filtersOf(count)}
      </Button>
      <div className={classes.choices} data-open={isOpen || undefined}>
        <Select
          aria-label={CONTENT_TEXTS.type}
          placeholder={CONTENT_TEXTS.anyType}
          data={types.map(({ handle, name }) => ({ value: handle, label: name }))}
          value={search.content_type ?? null}
          onChange={(type) => onChange({ content_type: type ?? undefined })}
          searchable={types.length > 8}
          clearable
        />
        <Select
          aria-label={CONTENT_TEXTS.status}
          placeholder={CONTENT_TEXTS.anyStatus}
          data={Object.entries(CONTENT_TEXTS.states).map(([value, label]) => ({ value, label }))}
          value={search.status ?? null}
          onChange={(status) => onChange({ status: isStatus(status) ? status : undefined })}
          clearable
        />
        <AuthorFilter site={site.id} author={search.author} onChange={(author) => onChange({ author })} />
        {site.languages.length > 1 && (
          <Select
            aria-label={CONTENT_TEXTS.language}
            placeholder={CONTENT_TEXTS.anyLanguage}
            data={site.languages.map((tag) => ({ value: tag, label: nameLanguage(tag, site.languages) }))}
            value={search.language ?? null}
            onChange={(language) => onChange({ language: language ?? undefined })}
            clearable
          />
        )}
        <Select
          aria-label={CONTENT_TEXTS.sort}
          data={Object.entries(CONTENT_TEXTS.sorts).map(([value, label]) => ({ value, label }))}
          value={search.sort ?? DEFAULT_SORT}
          onChange={(sort) => onChange({ sort: isSort(sort) && sort !== DEFAULT_SORT ? sort : undefined })}
          allowDeselect={false}
        />
      </div>
    </div>
  );
});

function SearchInput({
  value,
  onChange,
  searchRef,
  onLeaveDown,
}: Pick<ContentFiltersProps, 'onChange' | 'searchRef' | 'onLeaveDown'> & { readonly value: string }) {
  const [text, setText] = useState(value);
  const send = useDebouncedCallback((typed: string) => onChange({ search: typed === '' ? undefined : typed }), {
    delay: TYPING_PAUSE_MS,
  });
  // The search also changes when somebody goes back or clears the filters.
  useEffect(() => {
    if (document.activeElement !== searchRef.current) setText(value);
  }, [value, searchRef]);
  return (
    <TextInput
      ref={searchRef}
      className={classes.search}
      type="search"
      aria-label={CONTENT_TEXTS.search}
      placeholder={CONTENT_TEXTS.search}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
        event.preventDefault();
        onLeaveDown();
      }}
    />
  );
}

interface AuthorFilterProps {
  readonly site: string;
  readonly author: string | undefined;
  readonly onChange: (author: string | undefined) => void;
}

/** A site may have thousands of authors, so only those that match the typed text are loaded. */
function AuthorFilter({ site, author, onChange }: AuthorFilterProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, AUTHOR_TYPING_PAUSE_MS);
  const { data: chosen } = useQuery({ ...authorQuery(site, author ?? ''), enabled: author !== undefined });
  // When an author is selected, the field contains their name, which is not a search term.
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
