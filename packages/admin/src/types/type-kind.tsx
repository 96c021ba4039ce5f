// The kind of a content type (page, entry or block): chosen once, then shown as a badge.

import type { ObjectType } from '@galley/wire';
import { Badge, Radio, Stack } from '@mantine/core';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

export function TypeKind({ kind }: { readonly kind: ObjectType }) {
  return (
    <Badge variant="default" size="sm" tt="none">
      {TYPE_TEXTS.kinds[kind]}
    </Badge>
  );
}

const OBJECT_TYPES: readonly ObjectType[] = ['page', 'entry', 'block'];

interface ObjectTypeInputProps {
  readonly value: ObjectType;
  readonly onChange: (value: ObjectType) => void;
}

export function ObjectTypeInput({ value, onChange }: ObjectTypeInputProps) {
  return (
    <Radio.Group
      label={TYPE_TEXTS.kind}
      description={TYPE_TEXTS.kindHelp}
      value={value}
      onChange={(chosen) => {
        const kind = OBJECT_TYPES.find((each) => each === chosen);
        if (kind !== undefined) onChange(kind);
      }}
    >
      <Stack gap="xs" mt="xs">
        {OBJECT_TYPES.map((kind) => (
          <Radio key={kind} value={kind} label={TYPE_TEXTS.kinds[kind]} description={TYPE_TEXTS.kindTexts[kind]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
