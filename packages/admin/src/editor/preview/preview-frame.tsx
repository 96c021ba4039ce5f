// The page at one address: the bar with its controls, notices about the page, and the frame.

import type { ManagedContentBody, PreviewSettingsBody, PreviewUrlBody } from '@galley/wire';
import { useElementSize } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { runMutation } from '../../api/query-client.ts';
import { showToast } from '../../elements/show-toast.tsx';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import type { Draft } from '../draft/open-draft.ts';
import { readFieldPath } from '../fields/show-field.ts';
import { openPreview, type Preview } from './open-preview.ts';
import { OtherField } from './other-field.tsx';
import { PageNotice } from './page-notice.tsx';
import type { PageField } from './parse-page-message.ts';
import { PreviewBar } from './preview-bar.tsx';
import classes from './preview-frame.module.css';
import { previewUrlQuery, renderDraft } from './preview-queries.ts';
import { DEVICE_WIDTHS, type Device, type PreviewMode, usePreviewView } from './preview-view.ts';
import { Waiting } from './waiting.tsx';

/** The page may run scripts, store cookies, submit forms and open tabs, but cannot navigate the panel. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

type Address = PreviewSettingsBody['addresses'][number];

interface PreviewFrameProps {
  readonly site: string;
  readonly draft: Draft;
  readonly mode: PreviewMode;
  readonly address: Address;
  readonly addresses: readonly Address[];
  readonly onField: (path: string) => void;
}

export function PreviewFrame(props: PreviewFrameProps) {
  const { site, draft, mode, address, addresses } = props;
  const query = useQuery(previewUrlQuery(site, draft.read().content.id, address.id));
  if (query.data !== undefined) {
    return <OpenPreview key={`${query.data.origin} ${query.data.brand}`} {...props} opened={query.data} />;
  }
  const { language } = draft.read().content;
  return (
    <>
      <PreviewBar site={site} language={language} mode={mode} address={address} addresses={addresses} />
      <Waiting query={query} />
    </>
  );
}

interface OpenPreviewProps extends PreviewFrameProps {
  readonly opened: PreviewUrlBody;
}

function OpenPreview({ site, draft, mode, address, addresses, onField, opened }: OpenPreviewProps) {
  const queryClient = useQueryClient();
  const { id, language } = draft.read().content;
  const [other, setOther] = useState<PageField>();
  const newest = useRef({ onField, url: opened.url });
  useEffect(() => {
    newest.current = { onField, url: opened.url };
  });
  const [preview] = useState(() =>
    openPreview({
      id,
      origin: opened.origin,
      brand: opened.brand,
      values: draft.read().values,
      render: (values, marks) => runMutation(queryClient, () => renderDraft(site, id, values, marks)),
      readUrl: async () => (await queryClient.fetchQuery(previewUrlQuery(site, id, address.id))).url,
      onEdit: (field) => {
        const isOther = field.id !== id;
        setOther(isOther ? field : undefined);
        if (!isOther) newest.current.onField(field.path);
      },
    }),
  );
  const pages = useSyncExternalStore(preview.watch, preview.read);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const stop = preview.start(frame.current, newest.current.url);
    const unfollow = followForm(draft, preview);
    return () => {
      unfollow();
      stop();
    };
  }, [draft, preview]);
  useEffect(() => {
    if (pages.frame === 'connected' || pages.frame === 'silent') forgetReload();
    if (pages.frame === 'blocked' && draft.read().status === 'saved') reloadOnce(opened.origin);
  }, [pages.frame, draft, opened.origin]);
  const stage = useElementSize();
  const { device } = usePreviewView();
  const openTab = async (): Promise<void> => {
    const outcome = await preview.openTab();
    if (outcome === 'opened') return;
    showToast({ isError: true, text: outcome === 'blocked' ? PREVIEW_TEXTS.tabBlocked : PREVIEW_TEXTS.notLoaded });
  };
  return (
    <>
      <PreviewBar
        site={site}
        language={language}
        mode={mode}
        address={address}
        addresses={addresses}
        pages={pages}
        onReload={preview.reload}
        onOpenTab={openTab}
      />
      <PageNotice pages={pages} address={opened.origin} onReload={preview.reload} onOpenTab={openTab} />
      {other !== undefined && (
        <OtherField key={other.id} site={site} field={other} onClose={() => setOther(undefined)} />
      )}
      <div ref={stage.ref} className={classes.stage} data-device={mode === 'tab' ? 'fit' : device}>
        <iframe
          ref={frame}
          title={PREVIEW_TEXTS.frame}
          className={classes.frame}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          allow=""
          style={mode === 'tab' ? undefined : fitDevice(device, stage)}
        />
      </div>
    </>
  );
}

/** Tells the preview about each change, each new version and the focused field. @returns a function that stops these updates */
function followForm(draft: Draft, preview: Preview): () => void {
  let { values, content } = draft.read();
  preview.change(values);
  const noteFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const path = readFieldPath(target);
    // Dialogs and menus belong to the field that opened them.
    if (path !== undefined) preview.focus(path);
    else if (target.closest('main') !== null && target.closest('iframe, section') === null) preview.focus(null);
  };
  const unwatch = draft.watch(() => {
    const next = draft.read();
    const hasValues = next.values !== values;
    const isNew = isNewVersion(content, next.content);
    ({ values, content } = next);
    if (hasValues) preview.change(values);
    if (isNew) preview.refresh();
  });
  document.addEventListener('focusin', noteFocus);
  if (document.activeElement !== null) preview.focus(readFieldPath(document.activeElement) ?? null);
  return () => {
    unwatch();
    document.removeEventListener('focusin', noteFocus);
  };
}

/** Publishing creates no version, but pages may show the publication date. */
function isNewVersion(before: ManagedContentBody, now: ManagedContentBody): boolean {
  return before.version !== now.version || before.published_at !== now.published_at;
}

const RELOADED_KEY = 'galley-reloaded-for-preview';

/**
 * The policy of a loaded page never changes, so a panel that was loaded before the address was added, or before somebody signed in, has to
 * reload. If that does not help, the editor sees a notice.
 */
function reloadOnce(origin: string): void {
  try {
    if (window.sessionStorage.getItem(RELOADED_KEY) === origin) return;
    window.sessionStorage.setItem(RELOADED_KEY, origin);
  } catch {
    // Without this storage, the panel might reload again and again.
    return;
  }
  window.location.reload();
}

function forgetReload(): void {
  try {
    window.sessionStorage.removeItem(RELOADED_KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Pages that are wider than the preview are scaled down. */
function fitDevice(device: Device, stage: { readonly width: number; readonly height: number }): CSSProperties {
  const width = DEVICE_WIDTHS[device];
  if (width === undefined || stage.width === 0) return {};
  const scale = Math.min(1, stage.width / width);
  return {
    width,
    height: stage.height / scale,
    transform: `scale(${scale})`,
    marginInlineStart: Math.max(0, (stage.width - width) / 2),
  };
}
