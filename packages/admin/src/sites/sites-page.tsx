import type { SiteBody } from '@galley/wire';
import { Anchor } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { CopyableId } from '../elements/copyable.tsx';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { nameLanguage } from '../texts/language-name.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { sitesQuery } from './site-queries.ts';

const COLUMNS: readonly Column<SiteBody>[] = [
  {
    header: SITE_TEXTS.name,
    isName: true,
    cell: ({ id, name }) => (
      <TextLink to="/sites/$site" params={{ site: id }}>
        {name}
      </TextLink>
    ),
  },
  { header: SITE_TEXTS.id, cell: ({ id }) => <CopyableId id={id} what={SITE_TEXTS.siteId} /> },
  { header: SITE_TEXTS.url, cell: ({ url }) => (url === null ? SHELL_TEXTS.none : <SiteAddress url={url} />) },
  { header: SITE_TEXTS.languages, cell: listLanguages },
  { header: SITE_TEXTS.created, cell: ({ created_at: createdAt }) => <TimeText value={createdAt} /> },
];

export function SitesPage() {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const isOwner = useIsOwner();
  const create = (
    <LinkButton to="/sites/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {SITE_TEXTS.newTitle}
    </LinkButton>
  );
  if (sites.length === 0) {
    return (
      <Page title={SITE_TEXTS.listTitle}>
        <EmptyState
          title={SITE_TEXTS.emptyTitle}
          text={isOwner ? SITE_TEXTS.emptyText : SITE_TEXTS.emptyTextEditor}
          action={isOwner && create}
        />
      </Page>
    );
  }
  return (
    <Page title={SITE_TEXTS.listTitle} actions={isOwner && create}>
      <DataTable label={SITE_TEXTS.listTitle} columns={COLUMNS} rows={sites} keyOf={({ id }) => id} />
    </Page>
  );
}

function SiteAddress({ url }: { readonly url: string }) {
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" c="inherit">
      {url.replace(/^https?:\/\//, '')}
    </Anchor>
  );
}

/** The names of a site's languages, with the default first. */
function listLanguages({ languages, default_language: first }: SiteBody): string {
  return [first, ...languages.filter((language) => language !== first)]
    .map((language) => nameLanguage(language, languages))
    .join(', ');
}
