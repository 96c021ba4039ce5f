// The form of a content type, with an input for each field. It holds no values itself; only its pickers call the service.

import type { ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Fault } from '../api/api-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { FieldList } from './fields/field-list.tsx';
import type { FieldValues } from './fields/field-values.ts';
import { FormContext } from './fields/form-context.ts';

interface ContentFormProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  /** All content types of the site, because blocks have types too. */
  readonly types: readonly ManagedTypeBody[];
  /** By handle, as the API has them. */
  readonly fields: FieldValues;
  readonly onChange: (fields: FieldValues) => void;
  /** The faults by path, such as `fields.title`. */
  readonly faults?: readonly Fault[];
  readonly isReadOnly?: boolean;
  readonly language?: string;
}

const NO_FAULTS: readonly Fault[] = [];

export function ContentForm(props: ContentFormProps) {
  const { site, type, types, fields, onChange, faults = NO_FAULTS, isReadOnly = false, language } = props;
  const surroundings = useMemo(
    () => ({ site, types, faults, isReadOnly, language }),
    [site, types, faults, isReadOnly, language],
  );
  return (
    <FormContext value={surroundings}>
      {type.fields.length === 0 && <Text c="dimmed">{EDITOR_TEXTS.noFields}</Text>}
      <FieldList fields={type.fields} path="fields" values={fields} onChange={onChange} />
    </FormContext>
  );
}
