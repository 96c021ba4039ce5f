import type { ContentStateName } from '@galley/wire';
import { Badge } from '@mantine/core';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';

const COLORS: Readonly<Record<ContentStateName, string>> = {
  draft: 'gray',
  published: 'pine',
  changed: 'yellow',
  unpublished: 'gray',
  archived: 'red',
};

export function ContentState({ state }: { readonly state: ContentStateName }) {
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {HISTORY_TEXTS.states[state]}
    </Badge>
  );
}
