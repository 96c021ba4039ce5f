// What happened to the text that its editor did not do, and what is wrong with it that the open tab has no input for.

import type { ManagedTypeBody } from '@galley/wire';
import { Alert, Button, Group, List } from '@mantine/core';
import { useMatchRoute } from '@tanstack/react-router';
import { TextLink } from '../elements/link-button.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { describeFault } from './describe-fault.ts';
import type { DraftNews as News } from './draft/draft-state.ts';
import { useDraft } from './draft-context.ts';
import { findTabOfFault } from './find-tab-of-fault.ts';
import { namePart } from './name-part.ts';

interface DraftNewsProps {
  readonly site: string;
  readonly type: ManagedTypeBody | undefined;
  readonly types: readonly ManagedTypeBody[];
}

export function DraftNews({ site, type, types }: DraftNewsProps) {
  const { draft, state } = useDraft();
  const { news, message, status } = state;
  return (
    <>
      {message !== undefined && (
        <Alert color="red" role="alert">
          {message}
        </Alert>
      )}
      <FaultsElsewhere site={site} type={type} types={types} />
      {news !== undefined && (
        <Alert
          role="status"
          color={news.kind === 'sanitised' || news.kind === 'left_out' ? 'yellow' : 'pine'}
          withCloseButton
          closeButtonLabel={SHELL_TEXTS.close}
          onClose={() => draft.dismissNews()}
        >
          <Group gap="xs" justify="space-between">
            {describeNews(news, type)}
            {news.kind === 'restored' && status !== 'saved' && (
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

function FaultsElsewhere({ site, type, types }: DraftNewsProps) {
  const { state } = useDraft();
  const matchRoute = useMatchRoute();
  const { faults, status, content, values } = state;
  const params = { site, id: content.id };
  const isEdit = matchRoute({ to: '/sites/$site/content/$id', params }) !== false;
  const isSeo = matchRoute({ to: '/sites/$site/content/$id/seo', params }) !== false;
  const open = isEdit ? 'edit' : isSeo ? 'seo' : 'another';
  const elsewhere = faults
    .map((fault) => ({ fault, tab: findTabOfFault(fault.path, { type, types, fields: values.fields }) }))
    .filter(({ tab }) => tab !== open);
  // What only keeps it from being published is told where one writes.
  if (elsewhere.length === 0 || (status !== 'refused' && !isEdit)) return null;
  return (
    <Alert color="red" role="alert">
      {status === 'refused' ? EDITOR_TEXTS.refusedElsewhere : EDITOR_TEXTS.faultsElsewhere}
      <List size="sm" mt="xs">
        {elsewhere.map(({ fault, tab }) => (
          <List.Item key={`${fault.path} ${fault.message}`}>
            {tab === undefined ? (
              describeFault(fault, type)
            ) : (
              <TextLink
                to={tab === 'seo' ? '/sites/$site/content/$id/seo' : '/sites/$site/content/$id'}
                params={params}
                size="sm"
              >
                {describeFault(fault, type)}
              </TextLink>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function describeNews(news: News, type: ManagedTypeBody | undefined): string {
  if (news.kind === 'restored') return EDITOR_TEXTS.wasRestored;
  if (news.kind === 'merged') return EDITOR_TEXTS.wasMerged(news.by ?? EDITOR_TEXTS.anImport);
  const parts = [...new Set(news.paths.map((path) => namePart(path, type)))].join(', ');
  return news.kind === 'sanitised' ? EDITOR_TEXTS.wasSanitised(parts) : EDITOR_TEXTS.wasLeftOut(parts);
}
