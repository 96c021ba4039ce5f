// Tells the editor about text changes that they did not make, and about errors that have no input on the open tab.

import type { ManagedTypeBody } from '@galley/wire';
import { Alert, Button, Group, List } from '@mantine/core';
import { useMatchRoute } from '@tanstack/react-router';
import { describeFault, namePart } from '../content/say-fault.ts';
import { TextLink } from '../elements/link-button.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { nameLanguage } from '../texts/language-name.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import type { DraftNews as News, SanitisedText } from './draft/draft-state.ts';
import { listHtmlParts } from './fields/parse-html.ts';
import { findTabOfFault } from './find-tab-of-fault.ts';
import { useDraft, useDraftState } from './use-draft.ts';

interface DraftNewsProps {
  readonly site: string;
  readonly type: ManagedTypeBody | undefined;
  readonly types: readonly ManagedTypeBody[];
}

const NEWS_COLORS: Readonly<Record<News['kind'], string>> = {
  restored: 'pine',
  merged: 'pine',
  sanitised: 'yellow',
  left_out: 'yellow',
  url_taken: 'red',
  url_shared: 'yellow',
};

export function DraftNews({ site, type, types }: DraftNewsProps) {
  const draft = useDraft();
  const news = useDraftState((state) => state.news);
  const message = useDraftState((state) => state.message);
  const isSaved = useDraftState(({ status }) => status === 'saved');
  const hasFaults = useDraftState(({ faults }) => faults.length > 0);
  return (
    <>
      {message !== undefined && (
        <Alert color="red" role="alert">
          {message}
        </Alert>
      )}
      {hasFaults && <FaultsElsewhere site={site} type={type} types={types} />}
      {news !== undefined && hasText(news) && (
        <Alert
          role="status"
          color={NEWS_COLORS[news.kind]}
          withCloseButton
          closeButtonLabel={SHELL_TEXTS.close}
          onClose={() => draft.dismissNews()}
        >
          <Group gap="xs" justify="space-between">
            <NewsText site={site} news={news} type={type} />
            {news.kind === 'restored' && !isSaved && (
              <Button size="compact-sm" variant="default" onClick={() => draft.forget()}>
                {EDITOR_TEXTS.dropRestored}
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </>
  );
}

/** False if the service rewrote HTML without removing anything, because then there is nothing to report. */
function hasText(news: News): boolean {
  return news.kind !== 'sanitised' || listRemoved(news.texts).length > 0;
}

function FaultsElsewhere({ site, type, types }: DraftNewsProps) {
  const { faults, status, content, values } = useDraftState((state) => state);
  const matchRoute = useMatchRoute();
  const params = { site, id: content.id };
  const isEdit = matchRoute({ to: '/sites/$site/content/$id', params }) !== false;
  const isSeo = matchRoute({ to: '/sites/$site/content/$id/seo', params }) !== false;
  const open = isEdit ? 'edit' : isSeo ? 'seo' : 'another';
  const elsewhere = faults
    .map((fault) => ({ fault, tab: findTabOfFault(fault.path, { type, types, fields: values.fields }) }))
    .filter(({ tab }) => tab !== open);
  // Errors that only prevent publishing are shown on the Edit tab.
  if (elsewhere.length === 0 || (status !== 'refused' && !isEdit)) return null;
  return (
    <Alert color="red" role="alert">
      {status === 'refused' ? EDITOR_TEXTS.refusedElsewhere : EDITOR_TEXTS.faultsElsewhere}
      <List size="sm" mt="xs">
        {elsewhere.map(({ fault, tab }) => (
          <List.Item key={`${fault.path} ${fault.message}`}>
            {tab === undefined ? (
              describeFault(fault, content.content_type, types)
            ) : (
              <TextLink
                to={tab === 'seo' ? '/sites/$site/content/$id/seo' : '/sites/$site/content/$id'}
                params={params}
                size="sm"
              >
                {describeFault(fault, content.content_type, types)}
              </TextLink>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface NewsTextProps {
  readonly site: string;
  readonly news: News;
  readonly type: ManagedTypeBody | undefined;
}

function NewsText({ site, news, type }: NewsTextProps) {
  switch (news.kind) {
    case 'restored':
      return EDITOR_TEXTS.wasRestored;
    case 'merged':
      return EDITOR_TEXTS.wasMerged(news.by ?? EDITOR_TEXTS.anImport);
    case 'sanitised':
      return (
        <div>
          {listRemoved(news.texts).map(({ path, removed }) => (
            <div key={path}>{EDITOR_TEXTS.wasSanitised(namePart(path, type), removed)}</div>
          ))}
        </div>
      );
    case 'left_out':
      return EDITOR_TEXTS.wasLeftOut(nameParts(news.paths, type));
    case 'url_taken':
      return (
        <div>
          {EDITOR_TEXTS.urlTakenBy} <PageLink site={site} page={news.page} />. {EDITOR_TEXTS.urlTakenHelp}
        </div>
      );
    case 'url_shared':
      return (
        <div>
          {EDITOR_TEXTS.urlShared}
          <List size="sm" mt="xs">
            {news.warnings.map(({ reason, content }) => (
              <List.Item key={content.id}>
                <PageLink site={site} page={content} />
                {reason === 'url_in_other_language' && ` ${EDITOR_TEXTS.inLanguage(nameLanguage(content.language))}`}
              </List.Item>
            ))}
          </List>
        </div>
      );
  }
}

interface PageLinkProps {
  readonly site: string;
  readonly page: { readonly id: string; readonly name: string };
}

function PageLink({ site, page: { id, name } }: PageLinkProps) {
  return (
    <TextLink to="/sites/$site/content/$id" params={{ site, id }} size="sm" underline="always">
      {name}
    </TextLink>
  );
}

function nameParts(paths: readonly string[], type: ManagedTypeBody | undefined): string {
  return [...new Set(paths.map((path) => namePart(path, type)))].join(', ');
}

interface RemovedParts {
  readonly path: string;
  readonly removed: readonly string[];
}

/** Lists only the text values that lost some HTML. */
export function listRemoved(texts: readonly SanitisedText[]): readonly RemovedParts[] {
  return texts
    .map(({ path, sent, stored }) => {
      const kept = listHtmlParts(stored);
      const removed = [...listHtmlParts(sent)].filter(([part, count]) => count > (kept.get(part) ?? 0));
      return { path, removed: removed.map(([part]) => part) };
    })
    .filter(({ removed }) => removed.length > 0);
}
