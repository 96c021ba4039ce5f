import { ActionIcon, Group, Textarea, Tooltip } from '@mantine/core';
import { IconBlockquote, IconBold, IconHeading, IconItalic, IconLink, IconList } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { buildText, readText } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';
import classes from './markdown-input.module.css';
import { MARKDOWN_MARKS, type MarkdownMark, toggleMark } from './markdown-marks.ts';

const ICONS = {
  bold: IconBold,
  italic: IconItalic,
  heading: IconHeading,
  link: IconLink,
  list: IconList,
  quote: IconBlockquote,
} as const;

export function MarkdownInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  const mark = (kind: MarkdownMark): void => {
    const element = area.current;
    if (element === null) return;
    const { text, start, end } = toggleMark(
      { text: element.value, start: element.selectionStart, end: element.selectionEnd },
      kind,
    );
    flushSync(() => onChange(buildText(text)));
    element.focus();
    element.setSelectionRange(start, end);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isReadOnly) return;
    const kind = event.key === 'b' ? 'bold' : event.key === 'i' ? 'italic' : undefined;
    if (kind === undefined) return;
    event.preventDefault();
    mark(kind);
  };

  return (
    <FieldFrame
      label={field.name}
      help={field.help_text}
      isRequired={field.required}
      error={error}
      aside={<span className={classes.format}>{EDITOR_TEXTS.markdown}</span>}
    >
      <div className={classes.box} data-error={error === undefined ? undefined : true}>
        {!isReadOnly && (
          <Group gap={2} className={classes.bar}>
            {MARKDOWN_MARKS.map((kind) => {
              const Icon = ICONS[kind];
              return (
                <Tooltip key={kind} label={EDITOR_TEXTS.marks[kind]}>
                  <ActionIcon onClick={() => mark(kind)} aria-label={EDITOR_TEXTS.marks[kind]} aria-controls={id}>
                    <Icon size={16} stroke={1.7} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              );
            })}
          </Group>
        )}
        <Textarea
          ref={area}
          id={id}
          aria-label={field.name}
          aria-required={field.required}
          aria-invalid={error === undefined ? undefined : true}
          variant="unstyled"
          classNames={{ input: classes.text }}
          autosize
          minRows={5}
          maxRows={30}
          readOnly={isReadOnly}
          value={readText(value)}
          onChange={(event) => onChange(buildText(event.currentTarget.value))}
          onKeyDown={onKeyDown}
        />
      </div>
    </FieldFrame>
  );
}
