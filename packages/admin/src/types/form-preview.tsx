import type { ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { FIELD_TEXTS } from '../texts/field-texts.ts';

interface FormPreviewProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly types: readonly ManagedTypeBody[];
}

export function FormPreview({ type }: FormPreviewProps) {
  if (type.fields.length === 0) return <Text c="dimmed">{FIELD_TEXTS.previewEmpty}</Text>;
  return (
    <ul>
      {type.fields.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
