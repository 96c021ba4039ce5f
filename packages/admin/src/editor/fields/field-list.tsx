import type { ManagedFieldBody } from '@galley/wire';
import { Stack } from '@mantine/core';
import { memo, useCallback, useLayoutEffect, useRef } from 'react';
import { AssetsInput } from './assets-input.tsx';
import { BlocksInput } from './blocks-input.tsx';
import { BooleanInput, OptionInput } from './choice-input.tsx';
import { ContentLinksInput } from './content-links-input.tsx';
import { DateInput } from './date-input.tsx';
import { withValue } from './field-values.ts';
import { type FieldInputProps, type FieldListProps, NestedFields } from './form-context.ts';
import { ListInput } from './list-input.tsx';
import { NumberFieldInput } from './number-field-input.tsx';
import { TextFieldInput } from './text-field-input.tsx';

const INPUTS: Readonly<Record<ManagedFieldBody['type'], (props: FieldInputProps) => React.ReactNode>> = {
  text: TextFieldInput,
  number: NumberFieldInput,
  boolean: BooleanInput,
  date: DateInput,
  list: ListInput,
  option: OptionInput,
  assets: AssetsInput,
  content_links: ContentLinksInput,
  blocks: BlocksInput,
};

/** The inputs of a content type or a block. Hidden fields have no input and keep their values. */
export function FieldList({ fields, path, values, onChange }: FieldListProps) {
  const newest = useRef({ values, onChange });
  useLayoutEffect(() => {
    newest.current = { values, onChange };
  });
  const changeField = useCallback((handle: string, value: unknown): void => {
    const form = newest.current;
    form.onChange(withValue(form.values, handle, value));
  }, []);
  return (
    <NestedFields value={FieldList}>
      <Stack gap="lg">
        {fields
          .filter(({ hidden }) => !hidden)
          .map((field) => (
            <Field
              key={field.handle}
              field={field}
              path={`${path}.${field.handle}`}
              value={values[field.handle]}
              onChange={changeField}
            />
          ))}
      </Stack>
    </NestedFields>
  );
}

interface FieldProps extends Omit<FieldInputProps, 'onChange'> {
  readonly onChange: (handle: string, value: unknown) => void;
}

/** Renders again only when its own value changes, because a long form would slow down writing. */
const Field = memo(function Field({ onChange, ...props }: FieldProps) {
  return <FieldInput {...props} onChange={(value) => onChange(props.field.handle, value)} />;
});

/** The input that fits a field's type. */
function FieldInput(props: FieldInputProps) {
  const Input = INPUTS[props.field.type];
  return <Input {...props} />;
}
