// The content object whose tab is open. When it changes, the tab keeps showing the old data until the new data has loaded.

import type { ManagedContentBody, ManagedTypeBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { typesQuery } from '../content/type-queries.ts';
import { contentQuery } from '../editor/content-calls.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id');

export interface OpenedContent {
  readonly site: string;
  readonly content: ManagedContentBody;
  /** All of the site's content types, including blocks. */
  readonly types: readonly ManagedTypeBody[];
}

export function useOpenedContent(): OpenedContent {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  const { data: types } = useSuspenseQuery(typesQuery(site));
  return { site, content: useDeferredValue(content), types };
}
