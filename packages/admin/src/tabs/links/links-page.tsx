// The links to and from this content.

import type { BacklinkBody, ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { useQueries, useSuspenseQuery } from '@tanstack/react-query';
import { StateLabel } from '../../content/state-label.tsx';
import { ContentName } from '../../editor/fields/field-value-text.tsx';
import { linkedContentQuery } from '../../editor/fields/picker-queries.ts';
import { Card } from '../../elements/card.tsx';
import { type Column, DataTable } from '../../elements/data-table.tsx';
import { TextLink } from '../../elements/link-button.tsx';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { backlinksQuery } from '../tab-queries.ts';
import { useOpenedContent } from '../use-opened-content.ts';
import { findLinkedIds, type LinkedId } from './find-linked-ids.ts';

export function LinksPage() {
  const { site, content, types } = useOpenedContent();
  const nameLanguage = useLanguageNames(site);
  const { data: backlinks } = useSuspenseQuery(backlinksQuery(site, content));
  const type = types.find(({ handle }) => handle === content.content_type);
  return (
    <>
      <Card title={TAB_TEXTS.linksHere} intro={TAB_TEXTS.linksHereIntro}>
        {backlinks.data.length === 0 ? (
          <Text c="dimmed">{TAB_TEXTS.linksHereNone}</Text>
        ) : (
          <DataTable
            label={TAB_TEXTS.linksHere}
            columns={listBacklinkColumns(site, types, nameLanguage)}
            rows={backlinks.data}
            keyOf={({ id }) => id}
          />
        )}
        {backlinks.total > backlinks.data.length && (
          <Text c="dimmed">{TAB_TEXTS.linksHereMore(backlinks.data.length, backlinks.total)}</Text>
        )}
      </Card>
      <Card title={TAB_TEXTS.linksOut} intro={TAB_TEXTS.linksOutIntro}>
        <LinkedContent site={site} types={types} links={findLinkedIds(content.fields, type)} />
      </Card>
    </>
  );
}

function listBacklinkColumns(
  site: string,
  types: readonly ManagedTypeBody[],
  nameLanguage: (tag: string) => string,
): readonly Column<BacklinkBody>[] {
  return [
    {
      header: TAB_TEXTS.name,
      isName: true,
      cell: ({ id, name }) => (
        <TextLink to="/sites/$site/content/$id" params={{ site, id }}>
          {name}
        </TextLink>
      ),
    },
    { header: TAB_TEXTS.type, cell: ({ content_type: handle }) => nameType(types, handle) },
    { header: TAB_TEXTS.language, cell: ({ language }) => nameLanguage(language) },
    { header: TAB_TEXTS.state, cell: ({ state }) => <StateLabel state={state} /> },
    {
      header: TAB_TEXTS.seenByReaders,
      cell: ({ is_public: isPublic }) => (isPublic ? TAB_TEXTS.yes : TAB_TEXTS.no),
    },
  ];
}

interface LinkedContentProps {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
  readonly links: readonly LinkedId[];
}

function LinkedContent({ site, types, links }: LinkedContentProps) {
  const targets = useQueries({
    queries: links.map(({ id }) => linkedContentQuery(site, id)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const]))),
  });
  if (links.length === 0) return <Text c="dimmed">{TAB_TEXTS.linksOutNone}</Text>;
  const columns: readonly Column<LinkedId>[] = [
    { header: TAB_TEXTS.name, isName: true, cell: ({ id }) => <ContentName site={site} id={id} /> },
    { header: TAB_TEXTS.type, cell: ({ id }) => nameType(types, targets.get(id)?.content_type ?? '') },
    { header: TAB_TEXTS.inField, cell: ({ fields }) => fields.join(', ') },
    {
      header: TAB_TEXTS.state,
      cell: ({ id }) => {
        const target = targets.get(id);
        return target === undefined ? '' : <StateLabel state={target.state} />;
      },
    },
  ];
  return <DataTable label={TAB_TEXTS.linksOut} columns={columns} rows={links} keyOf={({ id }) => id} />;
}

function nameType(types: readonly ManagedTypeBody[], handle: string): string {
  return types.find((type) => type.handle === handle)?.name ?? handle;
}
