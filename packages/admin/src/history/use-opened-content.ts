// The content object whose tab is open. What hangs on it is read again when it changes; the page shows what it had until
// then, instead of nothing.

import type { ManagedContentBody, ManagedTypeBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { contentQuery } from '../editor/content-queries.ts';
import { typesQuery } from '../types/type-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id');

export interface OpenedContent {
  readonly site: string;
  readonly content: ManagedContentBody;
  /** All content types of the site, blocks among them. */
  readonly types: readonly ManagedTypeBody[];
}

export function useOpenedContent(): OpenedContent {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  const { data: types } = useSuspenseQuery(typesQuery(site));
  return { site, content: useDeferredValue(content), types };
}
