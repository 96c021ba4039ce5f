// What an id stands for, by name. Until the name is known, and where it is gone for good, the id itself stands there.

import { useQuery } from '@tanstack/react-query';
import { isNotFound } from '../api/api-error.ts';
import { assetQuery } from '../assets/asset-queries.ts';
import { authorQuery } from '../authors/author-queries.ts';
import { linkedContentQuery } from '../editor/fields/picker-queries.ts';
import { TextLink } from '../elements/link-button.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';

interface NamedReferenceProps {
  readonly site: string;
  readonly id: string;
}

interface Named {
  readonly data: { readonly name: string } | undefined;
  readonly error: Error | null;
}

export function AuthorName({ site, id }: NamedReferenceProps) {
  return renderName(id, useQuery(authorQuery(site, id)));
}

export function AssetName({ site, id }: NamedReferenceProps) {
  return renderName(id, useQuery(assetQuery(site, id)));
}

export function ContentName({ site, id }: NamedReferenceProps) {
  const known = useQuery(linkedContentQuery(site, id));
  if (known.data === undefined) return renderName(id, known);
  return (
    <TextLink to="/sites/$site/content/$id" params={{ site, id }}>
      {known.data.name}
    </TextLink>
  );
}

function renderName(id: string, { data, error }: Named): string {
  return data?.name ?? (isNotFound(error) ? HISTORY_TEXTS.gone(id) : id);
}
