// Rich text. It enters the page only through the visual editor's schema or as the text of a text area, never as HTML.

import { Alert, Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { FieldFrame } from './field-frame.tsx';
import { buildText, readText } from './field-values.ts';
import { type FieldInputProps, useFault, useForm } from './form-context.ts';
import { RichText } from './rich-text.tsx';

export function HtmlInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const text = readText(value);
  const [isSource, setIsSource] = useState(false);
  const [pasted, setPasted] = useState<string>();
  const label = field.name;
  return (
    <FieldFrame
      label={label}
      help={field.help_text}
      isRequired={field.required}
      error={error}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setIsSource(!isSource)}
          aria-label={isSource ? EDITOR_TEXTS.toVisualOf(label) : EDITOR_TEXTS.toSourceOf(label)}
        >
          {isSource ? EDITOR_TEXTS.toVisual : EDITOR_TEXTS.toSource}
        </Button>
      }
    >
      {isSource ? (
        <Textarea
          aria-label={label}
          aria-required={field.required}
          error={error !== undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          autosize
          minRows={5}
          maxRows={30}
          spellCheck={false}
          data-html-source
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
          onPaste={(losses) => setPasted(EDITOR_TEXTS.notPasted(losses))}
        />
      )}
      {pasted !== undefined && (
        <Alert
          role="status"
          color="yellow"
          mt="xs"
          py="xs"
          withCloseButton
          closeButtonLabel={SHELL_TEXTS.close}
          onClose={() => setPasted(undefined)}
        >
          {pasted}
        </Alert>
      )}
    </FieldFrame>
  );
}
