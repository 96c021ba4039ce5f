// Rich text. It enters the page through the visual editor's schema alone, or as the text of a text area; never as HTML.

import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { buildText, readText } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';
import { RichText } from './rich-text.tsx';
import { isKeptBySchema } from './rich-text-schema.ts';

export function HtmlInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  const text = readText(value);
  const [isSource, setIsSource] = useState(() => !isKeptBySchema(text));
  const [wouldLose, setWouldLose] = useState(false);
  /** Where the text became HTML under the hands of its editor: whether they were writing in it. */
  const [turned, setTurned] = useState<{ readonly hadFocus: boolean }>();

  const toggle = (): void => {
    const loses = isSource && !isKeptBySchema(text);
    setWouldLose(loses);
    if (loses) return;
    setIsSource(!isSource);
    setTurned(undefined);
  };

  const label = field.name;
  return (
    <FieldFrame
      label={label}
      help={field.help_text}
      isRequired={field.required}
      error={error ?? (wouldLose ? EDITOR_TEXTS.wouldLose : undefined)}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={toggle}
          aria-label={isSource ? EDITOR_TEXTS.toVisualOf(label) : EDITOR_TEXTS.toSourceOf(label)}
        >
          {isSource ? EDITOR_TEXTS.toVisual : EDITOR_TEXTS.toSource}
        </Button>
      }
    >
      {turned !== undefined && (
        <Text size="sm" role="status">
          {EDITOR_TEXTS.becameSource}
        </Text>
      )}
      {isSource ? (
        <Textarea
          autoFocus={turned?.hadFocus ?? false}
          aria-label={label}
          aria-required={field.required}
          error={error !== undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          autosize
          minRows={5}
          maxRows={30}
          readOnly={isReadOnly}
          value={text}
          onChange={(event) => onChange(buildText(event.currentTarget.value))}
        />
      ) : (
        <RichText
          label={label}
          isFaulty={error !== undefined}
          isReadOnly={isReadOnly}
          value={text}
          onChange={(html) => onChange(buildText(html))}
          onUnknown={(hadFocus) => {
            setTurned({ hadFocus });
            setIsSource(true);
          }}
        />
      )}
    </FieldFrame>
  );
}
