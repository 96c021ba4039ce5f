import { Skeleton, Textarea } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../elements/lazy-part.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { buildText, readText } from './field-values.ts';
import { BY_SCRIPT, describeField, type FieldInputProps, useFault, useForm } from './form-context.ts';
import { MarkdownInput } from './markdown-input.tsx';
import classes from './text-field-input.module.css';

const HtmlInput = lazyPart(async () => (await import('./html-input.tsx')).HtmlInput);

/** The input for a text field, depending on its format. */
export function TextFieldInput(props: FieldInputProps) {
  const { format } = props.field;
  if (format === 'markdown') return <MarkdownInput {...props} />;
  if (format !== 'html') return <PlainTextInput {...props} />;
  return (
    <Suspense fallback={<Skeleton height={180} />}>
      <HtmlInput {...props} />
    </Suspense>
  );
}

function PlainTextInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly, language } = useForm();
  const error = useFault(path, field.name);
  const text = readText(value);
  const { max_length: most } = field;
  return (
    <Textarea
      {...describeField(field, error)}
      attributes={BY_SCRIPT}
      lang={language}
      autosize
      minRows={1}
      maxRows={24}
      readOnly={isReadOnly}
      value={text}
      onChange={(event) => onChange(buildText(event.currentTarget.value))}
      {...(most === undefined ? {} : { rightSectionWidth: 76, rightSection: <Count text={text} most={most} /> })}
    />
  );
}

function Count({ text, most }: { readonly text: string; readonly most: number }) {
  const length = [...text].length;
  return (
    <span className={classes.count} data-over={length > most || undefined}>
      {EDITOR_TEXTS.count(length, most)}
    </span>
  );
}
