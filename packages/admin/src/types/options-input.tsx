// The options for a choice field. The value of a new option follows its label. A saved option keeps its value, because content may use it.

import { arrayMove } from '@dnd-kit/sortable';
import { Input, TextInput } from '@mantine/core';
import { useId } from 'react';
import { AddRowButton, RemoveRowButton, useDraftRows } from '../elements/draft-rows.tsx';
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
  const rows = useDraftRows<OptionDraft, HTMLFieldSetElement>(options, onChange, () => createOptionDraft());
  return (
    <fieldset ref={rows.listRef} className={classes.options} aria-labelledby={titleId}>
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
          <div className={classes.option} data-row={key}>
            <MenuGrip />
            <TextInput
              className={classes.text}
              aria-label={FIELD_TEXTS.optionLabelOf(index + 1)}
              placeholder={FIELD_TEXTS.optionLabel}
              value={label}
              onChange={({ currentTarget: { value: next } }) =>
                rows.change(key, {
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
              onChange={(event) => rows.change(key, { value: event.currentTarget.value })}
              error={errorAt(`options[${index}].value`, FIELD_TEXTS.optionValue)}
            />
            <RemoveRowButton label={FIELD_TEXTS.removeOption(index + 1)} onClick={() => rows.remove(key)} />
          </div>
        )}
      </SortableList>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      <AddRowButton label={FIELD_TEXTS.addOption} onClick={rows.add} />
    </fieldset>
  );
}
