import type { ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { memo, useState } from 'react';
import { ContentForm } from '../editor/content-form.tsx';
import type { FieldValues } from '../editor/fields/field-values.ts';
import { FIELD_TEXTS } from '../texts/field-texts.ts';

interface FormPreviewProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly types: readonly ManagedTypeBody[];
}

/** The form that editors will fill in, to be tried. What is entered is kept nowhere. */
export const FormPreview = memo(function FormPreview({ site, type, types }: FormPreviewProps) {
  const [fields, setFields] = useState<FieldValues>({});
  if (type.fields.length === 0) return <Text c="dimmed">{FIELD_TEXTS.previewEmpty}</Text>;
  return <ContentForm site={site} type={type} types={types} fields={fields} onChange={setFields} />;
});
