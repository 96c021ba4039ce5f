import type { ObjectType } from '@galley/wire';
import { Badge } from '@mantine/core';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

/** Whether content of a type is a page, an entry or a block. */
export function TypeKind({ kind }: { readonly kind: ObjectType }) {
  return (
    <Badge variant="default" size="sm" tt="none">
      {TYPE_TEXTS.kinds[kind]}
    </Badge>
  );
}
