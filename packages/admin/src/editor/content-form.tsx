// The form for a content type, with an input for each field. It stores no values itself, and only its pickers call the service.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Stack, Text } from '@mantine/core';
import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { Fault } from '../api/api-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { BlocksInput } from './fields/blocks-input.tsx';
import { BooleanInput, OptionInput } from './fields/choice-input.tsx';
import { DateInput } from './fields/date-input.tsx';
import { type FieldValues, withValue } from './fields/field-values.ts';
import {
  type FieldInputProps,
  type FieldListProps,
  type FieldTarget,
  FormContext,
  NestedFields,
} from './fields/form-context.ts';
import { ListInput } from './fields/list-input.tsx';
import { NumberFieldInput } from './fields/number-field-input.tsx';
import { AssetsInput, ContentLinksInput } from './fields/reference-inputs.tsx';
import { TextFieldInput } from './fields/text-field-input.tsx';

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

interface ContentFormProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  /** All of the site's content types, because blocks have types too. */
  readonly types: readonly ManagedTypeBody[];
  /** The field values by handle, in the API's format. */
  readonly fields: FieldValues;
  readonly onChange: (fields: FieldValues) => void;
  /** Errors, each with a path such as `fields.title`. */
  readonly faults?: readonly Fault[];
  readonly isReadOnly?: boolean;
  readonly language?: string;
  /** The field to show. */
  readonly target?: FieldTarget | undefined;
}

const NO_FAULTS: readonly Fault[] = [];

export function ContentForm(props: ContentFormProps) {
  const { site, type, types, fields, onChange, faults = NO_FAULTS, isReadOnly = false, language, target } = props;
  const surroundings = useMemo(
    () => ({ site, types, faults, isReadOnly, language, target }),
    [site, types, faults, isReadOnly, language, target],
  );
  return (
    <FormContext value={surroundings}>
      {type.fields.length === 0 && <Text c="dimmed">{EDITOR_TEXTS.noFields}</Text>}
      <FieldList fields={type.fields} path="fields" values={fields} onChange={onChange} />
    </FormContext>
  );
}

/** The inputs for a content type or a block. Hidden fields have no input and keep their values. */
function FieldList({ fields, path, values, onChange }: FieldListProps) {
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

/** Re-renders only when its own value changes, because re-rendering a long form would slow down typing. */
const Field = memo(function Field({ onChange, ...props }: FieldProps) {
  return (
    <div data-path={props.path}>
      <FieldInput {...props} onChange={(value) => onChange(props.field.handle, value)} />
    </div>
  );
});

/** The input for the field's type. */
function FieldInput(props: FieldInputProps) {
  const Input = INPUTS[props.field.type];
  return <Input {...props} />;
}
