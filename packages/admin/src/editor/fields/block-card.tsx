import type { ManagedTypeBody } from '@galley/wire';
import { Badge, Collapse, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Fault } from '../../api/api-error.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './block-card.module.css';
import { FieldList } from './field-list.tsx';
import type { BlockValue } from './field-values.ts';
import { isWithin, useForm } from './form-context.ts';
import { summariseBlock } from './summarise-block.ts';

interface BlockCardProps {
  readonly block: BlockValue;
  /** Undefined where the type was deleted. */
  readonly type: ManagedTypeBody | undefined;
  readonly path: string;
  readonly onChange: (block: BlockValue) => void;
}

/** One block, open or closed. Faults inside open it when they come. */
export function BlockCard({ block, type, path, onChange }: BlockCardProps) {
  const { faults } = useForm();
  const id = useId();
  const inside = faults.filter((fault) => isWithin(fault.path, path)).length;
  const [choice, setChoice] = useState<{ readonly isOpen: boolean; readonly at?: readonly Fault[] }>({
    isOpen: Object.keys(block.fields).length === 0,
  });
  const isOpen = choice.isOpen || (inside > 0 && choice.at !== faults);
  return (
    <div className={classes.card} data-faulty={inside > 0 || undefined}>
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
      <Collapse expanded={isOpen} id={id}>
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
                onChange={(fields) => onChange({ ...block, fields })}
              />
            )}
          </div>
        )}
      </Collapse>
    </div>
  );
}
