// Blocks, and blocks in blocks as deep as the service takes them.

import type { ManagedTypeBody } from '@galley/wire';
import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { BlockCard } from './block-card.tsx';
import { FieldFrame } from './field-frame.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { type BlockValue, readBlocks } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';
import { ItemList } from './item-list.tsx';

const MOST_LEVELS = 4;
const CONTROLS = 'input, textarea, [contenteditable="true"], button';

export function BlocksInput({ field, path, value, onChange }: FieldInputProps) {
  const { types, isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const blocks = readBlocks(value);
  const change = (next: readonly BlockValue[]): void => onChange(next.length === 0 ? undefined : { blocks: next });
  const list = useRef<HTMLDivElement>(null);
  const add = (handle: string): void => {
    flushSync(() => change([...blocks, { content_type: handle, name: null, fields: {} }]));
    const added = list.current?.querySelector(':scope > ol > li:last-child');
    added?.querySelector<HTMLElement>(`:scope [data-block-body] :is(${CONTROLS})`)?.focus();
  };
  const level = path.split('.blocks[').length;
  const choices = types.filter(
    ({ object_type, handle }) =>
      object_type === 'block' && (field.allowed_types === undefined || field.allowed_types.includes(handle)),
  );
  const nameOf = ({ content_type, name }: BlockValue, index: number): string =>
    EDITOR_TEXTS.blockOf(name ?? findType(types, content_type)?.name ?? content_type, index + 1);
  return (
    <FieldFrame label={field.name} help={field.help_text} isRequired={field.required} error={error}>
      <div ref={list}>
        <ItemList items={blocks} onChange={change} nameOf={nameOf} canDuplicate>
          {(block, index) => (
            <BlockCard
              block={block}
              type={findType(types, block.content_type)}
              path={`${path}.blocks[${index}]`}
              onChange={(changed) => change(blocks.with(index, changed))}
            />
          )}
        </ItemList>
      </div>
      {!isReadOnly && level <= MOST_LEVELS && (
        <BlockChooser label={EDITOR_TEXTS.addBlockTo(field.name)} choices={choices} onChoose={add} />
      )}
    </FieldFrame>
  );
}

interface BlockChooserProps {
  readonly label: string;
  readonly choices: readonly ManagedTypeBody[];
  readonly onChoose: (handle: string) => void;
}

function BlockChooser({ label, choices, onChoose }: BlockChooserProps) {
  const [hasChosen, setHasChosen] = useState(false);
  return (
    <div>
      {/* Whoever has chosen goes on in the new block, whoever has not is where they were. */}
      <Menu position="bottom-start" returnFocus={!hasChosen} onOpen={() => setHasChosen(false)}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            aria-label={label}
            disabled={choices.length === 0}
          >
            {EDITOR_TEXTS.addBlock}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map(({ handle, name }) => (
            <Menu.Item
              key={handle}
              onClick={() => {
                setHasChosen(true);
                onChoose(handle);
              }}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function findType(types: readonly ManagedTypeBody[], handle: string): ManagedTypeBody | undefined {
  return types.find((type) => type.handle === handle);
}
