// The options for a choice field. A new option's value follows its label; a saved option's value does not, since content may use it.

import { arrayMove } from '@dnd-kit/sortable';
import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { MenuGrip } from '../elements/grip.tsx';
import { SortableList } from '../elements/sortable-list.tsx';
import type { ApiForm } from '../forms/use-api-form.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import { createOptionDraft, type FieldDraft, type OptionDraft } from './field-draft.ts';
import classes from './options-input.module.css';
import { followName } from './suggest-handle.ts';

interface OptionsInputProps {
  readonly value: readonly OptionDraft[];
  readonly onChange: (options: readonly OptionDraft[]) => void;
  readonly errorAt: ApiForm<FieldDraft>['errorAt'];
}

export function OptionsInput({ value: options, onChange, errorAt }: OptionsInputProps) {
  const titleId = useId();
  const error = errorAt('options', FIELD_TEXTS.options);
  const listRef = useRef<HTMLFieldSetElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    const labels = listRef.current?.querySelectorAll<HTMLInputElement>('[data-option-label]');
    labels?.item(options.length - 1).focus();
  }, [options.length]);
  const change = (key: string, parts: Partial<OptionDraft>): void =>
    onChange(options.map((option) => (option.key === key ? { ...option, ...parts } : option)));
  return (
    <fieldset ref={listRef} className={classes.options} aria-labelledby={titleId}>
      <div>
        <Input.Label id={titleId} labelElement="div">
          {FIELD_TEXTS.options}
        </Input.Label>
        <Input.Description>{FIELD_TEXTS.optionsHelp}</Input.Description>
      </div>
      <SortableList
        label={FIELD_TEXTS.options}
        items={options}
        keyOf={({ key }) => key}
        nameOf={({ label }, index) => FIELD_TEXTS.optionName(index + 1, label)}
        onMove={(from, to) => onChange(arrayMove([...options], from, to))}
      >
        {({ key, label, value, isSaved }, index) => (
          <div className={classes.option}>
            <MenuGrip />
            <TextInput
              className={classes.text}
              aria-label={FIELD_TEXTS.optionLabelOf(index + 1)}
              placeholder={FIELD_TEXTS.optionLabel}
              data-option-label
              value={label}
              onChange={({ currentTarget: { value: next } }) =>
                change(key, {
                  label: next,
                  value: isSaved ? value : followName({ name: label, handle: value }, next),
                })
              }
              error={errorAt(`options[${index}].label`, FIELD_TEXTS.optionLabel)}
            />
            <TextInput
              className={classes.text}
              aria-label={FIELD_TEXTS.optionValueOf(index + 1)}
              placeholder={FIELD_TEXTS.optionValue}
              value={value}
              onChange={(event) => change(key, { value: event.currentTarget.value })}
              error={errorAt(`options[${index}].value`, FIELD_TEXTS.optionValue)}
            />
            <ActionIcon
              aria-label={FIELD_TEXTS.removeOption(index + 1)}
              onClick={() => onChange(options.filter((option) => option.key !== key))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </SortableList>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      <Button
        className={classes.add}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          added.current = true;
          onChange([...options, createOptionDraft()]);
        }}
      >
        {FIELD_TEXTS.addOption}
      </Button>
    </fieldset>
  );
}
