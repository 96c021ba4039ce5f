// The assets or content that a field refers to, in order, with a button that opens a dialog to add more.

import { Button, Checkbox, Group, Loader, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isNotFound } from '../../api/api-error.ts';
import { describeError } from '../../forms/describe-error.ts';
import { FormMessage } from '../../forms/form-frame.tsx';
import type { EndlessQuery } from '../../lists/endless-query.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import classes from './chosen-list.module.css';
import { FieldFrame } from './field-frame.tsx';
import { type FieldInputProps, useFault, useForm } from './form-context.ts';
import { AddButton, ItemList } from './item-list.tsx';

const SEARCH_PAUSE_MS = 200;

interface ChosenListProps extends Pick<FieldInputProps, 'field' | 'path'> {
  readonly ids: readonly string[];
  readonly onOrder: (ids: readonly string[]) => void;
  readonly addLabel: string;
  readonly addLabelOf: (field: string) => string;
  readonly nameOf: (id: string) => string;
  /** Shown beside the button that opens the dialog. */
  readonly moreActions?: ReactNode;
  readonly picker: (close: () => void) => ReactNode;
  readonly children: (id: string) => ReactNode;
}

export function ChosenList(props: ChosenListProps) {
  const { field, path, ids, onOrder, addLabel, addLabelOf, nameOf, moreActions, picker, children } = props;
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <FieldFrame label={field.name} help={field.help_text} isRequired={field.required} error={error}>
      <ItemList items={ids} onChange={onOrder} nameOf={nameOf}>
        {(id, index) => (
          <div className={classes.chosen} data-path={`${path}.${field.type}[${index}]`}>
            {children(id)}
          </div>
        )}
      </ItemList>
      {!isReadOnly && (
        <Group gap="xs">
          <AddButton text={addLabel} label={addLabelOf(field.name)} onClick={open} />
          {moreActions}
        </Group>
      )}
      {isOpen && picker(close)}
    </FieldFrame>
  );
}

interface ChosenStateProps {
  readonly kind: 'asset' | 'content';
  readonly query: Pick<UseQueryResult, 'error' | 'refetch'>;
}

/** Shown while an item loads, if it could not be loaded, or if it no longer exists. */
export function ChosenState({ kind, query: { error, refetch } }: ChosenStateProps) {
  if (error === null) return <Skeleton height={20} width="60%" />;
  const isGone = isNotFound(error);
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {isGone ? EDITOR_TEXTS.gone[kind] : EDITOR_TEXTS.notLoaded[kind]}
      </Text>
      {!isGone && (
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          {SHELL_TEXTS.tryAgain}
        </Button>
      )}
    </Group>
  );
}

interface PickerDialogProps<Item> {
  readonly title: string;
  readonly searchLabel: string;
  readonly search: (text: string) => EndlessQuery<Item>;
  /** Whether an item can be chosen here. */
  readonly isChoice: (item: Item) => boolean;
  readonly children: (item: Item) => ReactNode;
  readonly onChoose: (items: readonly Item[]) => void;
  readonly onClose: () => void;
  /** Wraps the content of the dialog. @param choose selects an item */
  readonly frame?: (content: ReactNode, choose: (item: Item) => void) => ReactNode;
  /** An additional button. @param choose selects an item */
  readonly action?: (choose: (item: Item) => void) => ReactNode;
}

/** A dialog to search for items and choose some of them. */
export function PickerDialog<Item extends { readonly id: string }>(props: PickerDialogProps<Item>) {
  const { title, searchLabel, search, isChoice, children, onChoose, onClose, frame, action } = props;
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS);
  const [chosen, setChosen] = useState<readonly Item[]>([]);
  const list = useInfiniteQuery({ ...search(searched), placeholderData: keepPreviousData });
  const items = (list.data ?? []).filter(isChoice);
  const toggle = (item: Item): void =>
    setChosen((known) =>
      known.some(({ id }) => id === item.id) ? known.filter(({ id }) => id !== item.id) : [...known, item],
    );
  const choose = (item: Item): void =>
    setChosen((known) => (known.some(({ id }) => id === item.id) ? known : [...known, item]));
  const content = (
    <Stack gap="sm">
      <TextInput
        data-autofocus
        aria-label={searchLabel}
        placeholder={searchLabel}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FormMessage message={list.error === null ? undefined : describeError(list.error)} />
      <div className={classes.scroll}>
        {list.isPending && <Loader size="sm" aria-label={SHELL_TEXTS.loading} />}
        {!list.isPending && items.length === 0 && !list.hasNextPage && (
          <Text c="dimmed" ta="center" py="lg">
            {EDITOR_TEXTS.nothingFound}
          </Text>
        )}
        <ul className={classes.list}>
          {items.map((item) => (
            <li key={item.id}>
              <Checkbox
                classNames={{ root: classes.choice, body: classes.body, labelWrapper: classes.label }}
                label={children(item)}
                checked={chosen.some(({ id }) => id === item.id)}
                onChange={() => toggle(item)}
              />
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Group justify="center" py="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {SHELL_TEXTS.showMore}
            </Button>
          </Group>
        )}
      </div>
      <Group justify="flex-end" gap="xs">
        {action !== undefined && <div className={classes.action}>{action(choose)}</div>}
        <Button variant="default" onClick={onClose}>
          {SHELL_TEXTS.cancel}
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => {
            onChoose(chosen);
            onClose();
          }}
        >
          {EDITOR_TEXTS.addChosen(chosen.length)}
        </Button>
      </Group>
    </Stack>
  );
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}>
      {frame === undefined ? content : frame(content, choose)}
    </Modal>
  );
}
