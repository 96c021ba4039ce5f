// The page beside the form, or in its own tab on small screens. It stays loaded while the editor is open, even when it is hidden.

import type { PreviewSettingsBody } from '@galley/wire';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { EmptyState } from '../../elements/empty-state.tsx';
import { LinkButton } from '../../elements/link-button.tsx';
import { useIsOwner } from '../../session/use-user.ts';
import { previewSettingsQuery } from '../../sites/preview-queries.ts';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import type { Draft } from '../draft/open-draft.ts';
import { PreviewFrame } from './preview-frame.tsx';
import classes from './preview-pane.module.css';
import { PreviewResizer } from './preview-resizer.tsx';
import { type PreviewMode, usePreviewView } from './preview-view.ts';
import { Waiting } from './waiting.tsx';

interface PreviewPaneProps {
  readonly site: string;
  readonly draft: Draft;
  readonly mode: PreviewMode;
  /** Opens a field of the content in the form. */
  readonly onField: (path: string) => void;
}

/** Does not depend on the draft's values, so typing does not render it again. */
export const PreviewPane = memo(function PreviewPane({ site, draft, mode, onField }: PreviewPaneProps) {
  const settings = useQuery(previewSettingsQuery(site));
  return (
    <section className={classes.pane} data-mode={mode} aria-label={PREVIEW_TEXTS.frame}>
      {mode === 'beside' && <PreviewResizer />}
      {settings.data !== undefined && (
        <ChosenAddress site={site} draft={draft} mode={mode} addresses={settings.data.addresses} onField={onField} />
      )}
      {settings.data === undefined && <Waiting query={settings} />}
    </section>
  );
});

interface ChosenAddressProps extends PreviewPaneProps {
  readonly addresses: PreviewSettingsBody['addresses'];
}

function ChosenAddress({ site, draft, mode, addresses, onField }: ChosenAddressProps) {
  const view = usePreviewView();
  const address = addresses.find(({ id }) => id === view.addresses[site]) ?? addresses[0];
  if (address === undefined) return <NoAddress site={site} />;
  return (
    <PreviewFrame
      key={address.id}
      site={site}
      draft={draft}
      mode={mode}
      address={address}
      addresses={addresses}
      onField={onField}
    />
  );
}

function NoAddress({ site }: { readonly site: string }) {
  const isOwner = useIsOwner();
  return (
    <div className={classes.message}>
      <EmptyState
        title={PREVIEW_TEXTS.emptyTitle}
        text={isOwner ? PREVIEW_TEXTS.emptyOwner : PREVIEW_TEXTS.emptyEditor}
        action={
          isOwner && (
            <LinkButton to="/sites/$site/preview" params={{ site }}>
              {PREVIEW_TEXTS.setUp}
            </LinkButton>
          )
        }
      />
    </div>
  );
}
