import type { ContentStateName } from '@galley/wire';
import { Badge } from '@mantine/core';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';

const COLORS: Readonly<Record<ContentStateName, string>> = {
  draft: 'gray',
  published: 'pine',
  changed: 'pine',
  unpublished: 'gray',
  archived: 'gray',
};

/** Where content stands, in a word. */
export function StateBadge({ state }: { readonly state: ContentStateName }) {
  return (
    <Badge variant={state === 'changed' ? 'outline' : 'light'} color={COLORS[state]} size="sm">
      {EDITOR_TEXTS.states[state]}
    </Badge>
  );
}
