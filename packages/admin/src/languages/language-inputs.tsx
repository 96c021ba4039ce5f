// Inputs for choosing languages by name. Typing searches the list, and only listed languages can be chosen.

import {
  type ComboboxItem,
  MultiSelect,
  type MultiSelectProps,
  type OptionsFilter,
  Select,
  type SelectProps,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { LANGUAGES } from '../texts/language-list.ts';
import { findLanguages, nameLanguage } from '../texts/language-name.ts';
import { LANGUAGE_TEXTS } from '../texts/site-texts.ts';
import classes from './language-inputs.module.css';

interface LanguagesInputProps extends Pick<MultiSelectProps, 'label' | 'description' | 'error'> {
  /** Language tags, in the order in which they were chosen. */
  readonly value: readonly string[];
  readonly onChange: (languages: string[]) => void;
}

export function LanguagesInput({ value, onChange, ...rest }: LanguagesInputProps) {
  const search = useLanguageSearch(value);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <MultiSelect
      {...rest}
      {...search}
      value={[...value]}
      onChange={onChange}
      hidePickedOptions
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={close}
      // Closes the list after a choice, because it covers the form's buttons and most sites have only one or two languages.
      onOptionSubmit={close}
    />
  );
}

interface LanguageInputProps extends Pick<SelectProps, 'label' | 'error'> {
  readonly value: string;
  readonly onChange: (language: string) => void;
  /** The languages that are already in use. */
  readonly except: readonly string[];
}

export function LanguageInput({ value, onChange, except, ...rest }: LanguageInputProps) {
  const { data, ...search } = useLanguageSearch(value === '' ? [] : [value]);
  return (
    <Select
      {...rest}
      {...search}
      data={data.filter(({ value: tag }) => !except.includes(tag))}
      placeholder={LANGUAGE_TEXTS.search}
      value={value === '' ? null : value}
      onChange={(tag) => onChange(tag ?? '')}
    />
  );
}

const MOST_SHOWN = 60;

/** The options always include the chosen languages, whatever is typed, because the input reads their names from the options. */
function useLanguageSearch(chosen: readonly string[]) {
  const [typed, setTyped] = useState('');
  const found = findLanguages(typed).map(({ tag }) => tag);
  const tags = new Set([...found, ...chosen, ...LANGUAGES.map(({ tag }) => tag)]);
  return {
    data: [...tags].map((tag) => ({ value: tag, label: nameLanguage(tag, chosen) })),
    filter: filterLanguages,
    searchable: true,
    onSearchChange: setTyped,
    limit: MOST_SHOWN,
    nothingFoundMessage: LANGUAGE_TEXTS.nothingFound,
    renderOption: ({ option }: { readonly option: ComboboxItem }) => <LanguageOption tag={option.value} />,
    maxDropdownHeight: 280,
  } as const;
}

const filterLanguages: OptionsFilter = ({ options, search }) => {
  const ranks = new Map(findLanguages(search).map(({ tag }, rank) => [tag, rank]));
  return options
    .filter((option) => 'value' in option && ranks.has(option.value))
    .toSorted((one, other) => rankOf(one) - rankOf(other));

  function rankOf(option: (typeof options)[number]): number {
    return 'value' in option ? (ranks.get(option.value) ?? 0) : 0;
  }
};

const OWN_NAMES = new Map(LANGUAGES.map(({ tag, ownName }) => [tag, ownName]));

function LanguageOption({ tag }: { readonly tag: string }) {
  const name = nameLanguage(tag);
  const ownName = OWN_NAMES.get(tag) ?? name;
  return (
    <span className={classes.option}>
      <span>{name}</span>
      <span className={classes.more}>
        {ownName !== name && (
          <>
            <bdi lang={tag}>{ownName}</bdi>
            {' · '}
          </>
        )}
        {tag}
      </span>
    </span>
  );
}
