import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { FieldFrame } from './field-frame.tsx';
import { isSame, readItems } from './field-values.ts';
import { BY_SCRIPT, type FieldInputProps, useFault, useForm } from './form-context.ts';
import { AddButton, ItemList } from './item-list.tsx';

/**
 * A list of text items. Enter starts the next item, and Backspace in an empty item removes it. Empty items are not part of the
 * value.
 */
export function ListInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly, language } = useForm();
  const error = useFault(path, field.name);
  const frame = useRef<HTMLDivElement>(null);
  const kept = readItems(value, 'list');
  const [written, setWritten] = useState(kept);
  const items = isSame(listTexts(written), kept) ? written : kept;
  const change = (list: readonly string[]): void => {
    setWritten(list);
    const texts = listTexts(list);
    onChange(texts.length === 0 ? undefined : { list: texts });
  };

  const changeAndFocus = (list: readonly string[], index: number): void => {
    flushSync(() => change(list));
    frame.current?.querySelectorAll('input')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    if (isReadOnly || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      changeAndFocus(items.toSpliced(index + 1, 0, ''), index + 1);
    } else if (event.key === 'Backspace' && items[index] === '') {
      event.preventDefault();
      changeAndFocus(items.toSpliced(index, 1), Math.max(0, index - 1));
    }
  };

  return (
    <FieldFrame label={field.name} help={field.help_text} isRequired={field.required} error={error}>
      <div ref={frame}>
        <ItemList
          items={items}
          onChange={change}
          nameOf={(item, index) => (item === '' ? EDITOR_TEXTS.itemOf(field.name, index + 1) : item)}
        >
          {(item, index) => (
            <TextInput
              aria-label={EDITOR_TEXTS.itemOf(field.name, index + 1)}
              attributes={BY_SCRIPT}
              lang={language}
              data-path={`${path}.list[${listTexts(items.slice(0, index)).length}]`}
              readOnly={isReadOnly}
              value={item}
              onChange={(event) => change(items.with(index, event.currentTarget.value))}
              onKeyDown={(event) => onKeyDown(event, index)}
            />
          )}
        </ItemList>
      </div>
      {!isReadOnly && (
        <AddButton
          text={EDITOR_TEXTS.addItem}
          label={EDITOR_TEXTS.addItemTo(field.name)}
          onClick={() => changeAndFocus([...items, ''], items.length)}
        />
      )}
    </FieldFrame>
  );
}

function listTexts(items: readonly string[]): readonly string[] {
  return items.filter((item) => item.trim() !== '');
}
