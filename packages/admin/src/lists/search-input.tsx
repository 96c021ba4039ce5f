// A search box whose text is kept in the panel's URL. It searches when typing pauses, and is updated when the URL changes.

import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { LIST_TEXTS } from '../texts/list-texts.ts';

const TYPING_PAUSE_MS = 150;

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

export function SearchInput({ label, value, onSearch }: SearchInputProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const ref = useRef<HTMLInputElement>(null);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next;
    onSearch(next);
  }, TYPING_PAUSE_MS);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useShortcuts([{ keys: '/', label: LIST_TEXTS.toSearch, run: () => ref.current?.focus() }]);
  return (
    <TextInput
      ref={ref}
      flex="1 1 14rem"
      maw="26rem"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
