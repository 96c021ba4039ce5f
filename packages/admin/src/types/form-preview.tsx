import type { ManagedTypeBody } from '@galley/wire';
import { Stack, Text, TextInput } from '@mantine/core';
import { FIELD_TEXTS } from '../texts/field-texts.ts';

interface FormPreviewProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly types: readonly ManagedTypeBody[];
}

export function FormPreview({ type }: FormPreviewProps) {
  if (type.fields.length === 0) return <Text c="dimmed">{FIELD_TEXTS.previewEmpty}</Text>;
  return (
    <Stack>
      {type.fields.map(({ id, name }) => (
        <TextInput key={id} label={name} />
      ))}
    </Stack>
  );
}
