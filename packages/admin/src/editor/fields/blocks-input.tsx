// The input for blocks, which can be nested as deeply as the service allows.

import type { ManagedTypeBody } from '@galley/wire';
import { Badge, Button, Collapse, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { memo, useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Fault } from '../../api/api-error.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './blocks-input.module.css';
import { FieldFrame } from './field-frame.tsx';
import { type BlockValue, readBlocks, readItems, readText } from './field-values.ts';
import { type FieldInputProps, isWithin, useFault, useForm, useNestedFields, useTarget } from './form-context.ts';
import { ItemList } from './item-list.tsx';

const MOST_CHARACTERS = 90;
const MOST_LEVELS = 4;
const CONTROLS = 'input, textarea, [contenteditable="true"], button';

export function BlocksInput({ field, path, value, onChange }: FieldInputProps) {
  const { types, isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const blocks = readBlocks(value);
  const change = (next: readonly BlockValue[]): void => onChange(next.length === 0 ? undefined : { blocks: next });
  const newest = useRef({ blocks, change });
  useLayoutEffect(() => {
    newest.current = { blocks, change };
  });
  const changeBlock = useCallback((index: number, known: BlockValue, changed: BlockValue): void => {
    const now = newest.current;
    // The block may have been moved or removed since its fields were rendered: a late Undo must not overwrite another block.
    const at = now.blocks[index] === known ? index : now.blocks.indexOf(known);
    if (at !== -1) now.change(now.blocks.with(at, changed));
  }, []);
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
              index={index}
              onChange={changeBlock}
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
      {/* Choosing a type moves the focus into the new block; otherwise the focus returns to the button. */}
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

interface BlockCardProps {
  readonly block: BlockValue;
  /** Undefined if the type was deleted. */
  readonly type: ManagedTypeBody | undefined;
  readonly path: string;
  readonly index: number;
  readonly onChange: (index: number, known: BlockValue, changed: BlockValue) => void;
}

/** One block, expanded or collapsed. It expands when it gets new errors, or to show a field in it. */
const BlockCard = memo(function BlockCard({ block, type, path, index, onChange }: BlockCardProps) {
  const { faults } = useForm();
  const FieldList = useNestedFields();
  const id = useId();
  const inside = faults.filter((fault) => isWithin(fault.path, path)).length;
  const [choice, setChoice] = useState<{ readonly isOpen: boolean; readonly at?: readonly Fault[] }>({
    isOpen: Object.keys(block.fields).length === 0,
  });
  const isOpen = choice.isOpen || (inside > 0 && choice.at !== faults);
  const hasTarget = useTarget(path, () => setChoice({ isOpen: true }));
  return (
    <div className={classes.card} data-faulty={inside > 0 || undefined} data-path={path}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChoice({ isOpen: !isOpen, at: faults })}
      >
        <IconChevronRight size={16} className={classes.sign} aria-hidden />
        <span className={classes.type}>{type?.name ?? block.content_type}</span>
        <span className={classes.summary}>{block.name ?? (type === undefined ? '' : summariseBlock(type, block))}</span>
        {inside > 0 && (
          <Badge color="red" variant="light" size="sm">
            {EDITOR_TEXTS.faultCount(inside)}
          </Badge>
        )}
      </UnstyledButton>
      {/* A field in a block cannot be scrolled to while the block is expanding. */}
      <Collapse expanded={isOpen} id={id} {...(hasTarget ? { transitionDuration: 0 } : {})}>
        {isOpen && (
          <div className={classes.body} data-block-body>
            {type === undefined ? (
              <Text size="sm" c="dimmed">
                {EDITOR_TEXTS.unknownBlock(block.content_type)}
              </Text>
            ) : (
              <FieldList
                fields={type.fields}
                path={`${path}.fields`}
                values={block.fields}
                onChange={(fields) => onChange(index, block, { ...block, fields })}
              />
            )}
          </div>
        )}
      </Collapse>
    </div>
  );
});

/** The beginning of the first text value in a block. */
function summariseBlock({ fields }: ManagedTypeBody, { fields: values }: BlockValue): string {
  for (const { handle, type, format } of fields) {
    const value = values[handle];
    const text = type === 'list' ? readItems(value, 'list').join(', ') : readText(value);
    const plain = (format === 'html' ? text.replace(/<[^>]*>/g, ' ') : text).replace(/\s+/g, ' ').trim();
    if (plain !== '') return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
  }
  return '';
}
