// The frame around every tab of one content object: its name, the tabs, notices about its draft, the preview, and the status bar.

import type { ManagedContentBody } from '@galley/wire';
import { useMediaQuery } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, linkOptions, Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useCallback, useState } from 'react';
import { typesQuery } from '../content/type-queries.ts';
import { AskBeforeLeaving } from '../elements/ask-before-leaving.tsx';
import { Page } from '../elements/page.tsx';
import { useUser } from '../session/use-user.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { PREVIEW_TEXTS } from '../texts/preview-texts.ts';
import { contentQuery } from './content-calls.ts';
import { ContestPanel } from './contest-panel.tsx';
import { DraftNews } from './draft-news.tsx';
import classes from './editor-frame.module.css';
import { FailedSchedule } from './failed-schedule.tsx';
import { PageActions } from './preview/page-actions.tsx';
import { PreviewPane } from './preview/preview-pane.tsx';
import { type PreviewMode, usePreviewView } from './preview/preview-view.ts';
import { StatusBar } from './status-bar.tsx';
import { DraftContext, useDraft, useDraftState, useOpenDraft } from './use-draft.ts';

/** Below this width, the preview is a tab. The style sheet uses the same limit. */
const WIDE = '(min-width: 62em)';

const route = getRouteApi('/signed-in/sites/$site/content/$id');

export function EditorFrame() {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  const user = useUser();
  return <OpenEditor key={`${user.id}/${site}/${content.id}`} site={site} content={content} />;
}

function OpenEditor({ site, content }: { readonly site: string; readonly content: ManagedContentBody }) {
  const draft = useOpenDraft(site, content);
  return (
    <DraftContext value={draft}>
      <Frame site={site} id={content.id} />
    </DraftContext>
  );
}

function Frame({ site, id }: { readonly site: string; readonly id: string }) {
  const draft = useDraft();
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const content = useDraftState((state) => state.content);
  const contest = useDraftState((state) => state.contest);
  const isUnkept = useDraftState(({ isKept, status }) => !isKept && status !== 'saved');
  const type = types.find(({ handle }) => handle === content.content_type);
  const mode = usePreviewMode(site, id, content.state !== 'archived');
  const hasPreview = useHasBeen(mode !== 'hidden');
  const { width } = usePreviewView();
  const navigate = useNavigate();
  const showField = useCallback(
    (path: string): void =>
      void navigate({
        to: '/sites/$site/content/$id',
        params: { site, id },
        hash: path,
        replace: true,
        resetScroll: false,
      }),
    [navigate, site, id],
  );
  return (
    <div
      className={classes.desk}
      data-preview={mode}
      style={width === null ? undefined : ({ '--galley-chosen-width': `${width}px` } as CSSProperties)}
    >
      <NamedPage actions={<PageActions site={site} content={content} />}>
        <nav aria-label={EDITOR_TEXTS.tabList}>
          <ul className={classes.tabs}>
            {listEditorTabs(site, id).map(({ label, link, isNarrow }) => (
              <li key={label} className={isNarrow === true ? classes.narrow : undefined}>
                {/* The other tabs show saved content. */}
                <Link {...link} className={classes.tab} onClick={() => void draft.flush()}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {content.failed_schedule !== null && (
          <FailedSchedule site={site} failed={content.failed_schedule} types={types} />
        )}
        <DraftNews site={site} type={type} types={types} />
        {contest !== undefined && <ContestPanel site={site} contest={contest} type={type} types={types} />}
        <Outlet />
        {hasPreview && <PreviewPane site={site} draft={draft} mode={mode} onField={showField} />}
        <StatusBar site={site} type={type} />
        <AskBeforeLeaving isChanged={isUnkept} text={EDITOR_TEXTS.leaveText} within={`/sites/${site}/content/${id}`} />
      </NamedPage>
    </div>
  );
}

interface NamedPageProps {
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** The title follows each keystroke in the name, without rendering the rest of the page again. */
function NamedPage({ actions, children }: NamedPageProps) {
  const name = useDraftState(({ values }) => values.name);
  return (
    <Page title={name.trim() === '' ? EDITOR_TEXTS.unnamed : name} actions={actions}>
      {children}
    </Page>
  );
}

/** Only tabs that contain inputs have the preview beside them. The other tabs need the whole width. */
function usePreviewMode(site: string, id: string, isPossible: boolean): PreviewMode {
  const { isOpen } = usePreviewView();
  const isWide = useMediaQuery(WIDE, window.matchMedia(WIDE).matches);
  const matchRoute = useMatchRoute();
  const params = { site, id };
  if (!isPossible) return 'hidden';
  if (matchRoute({ to: '/sites/$site/content/$id/preview', params }) !== false) return 'tab';
  const hasInputs =
    matchRoute({ to: '/sites/$site/content/$id', params }) !== false ||
    matchRoute({ to: '/sites/$site/content/$id/seo', params }) !== false;
  return isOpen && isWide && hasInputs ? 'beside' : 'hidden';
}

/** Whether a condition has ever been true. */
function useHasBeen(isTrue: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isTrue);
  if (isTrue && !hasBeen) setHasBeen(true);
  return hasBeen || isTrue;
}

/** The tabs, in order. */
function listEditorTabs(site: string, id: string) {
  const params = { site, id };
  return [
    {
      label: EDITOR_TEXTS.tabs.edit,
      link: linkOptions({ to: '/sites/$site/content/$id', params, activeOptions: { exact: true } }),
    },
    {
      label: PREVIEW_TEXTS.tab,
      link: linkOptions({ to: '/sites/$site/content/$id/preview', params }),
      isNarrow: true,
    },
    { label: EDITOR_TEXTS.tabs.languages, link: linkOptions({ to: '/sites/$site/content/$id/languages', params }) },
    { label: EDITOR_TEXTS.tabs.seo, link: linkOptions({ to: '/sites/$site/content/$id/seo', params }) },
    { label: EDITOR_TEXTS.tabs.history, link: linkOptions({ to: '/sites/$site/content/$id/history', params }) },
    { label: EDITOR_TEXTS.tabs.links, link: linkOptions({ to: '/sites/$site/content/$id/links', params }) },
    { label: EDITOR_TEXTS.tabs.api, link: linkOptions({ to: '/sites/$site/content/$id/api', params }) },
  ];
}
