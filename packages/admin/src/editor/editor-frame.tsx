// The frame around every tab of one content object: its name, the tabs, notices about its draft, and the status bar.

import type { ManagedContentBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, linkOptions, Outlet } from '@tanstack/react-router';
import { typesQuery } from '../content/type-queries.ts';
import { AskBeforeLeaving } from '../elements/ask-before-leaving.tsx';
import { Page } from '../elements/page.tsx';
import { useUser } from '../session/use-user.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { contentQuery } from './content-calls.ts';
import { ContestPanel } from './contest-panel.tsx';
import { DraftNews } from './draft-news.tsx';
import classes from './editor-frame.module.css';
import { FailedSchedule } from './failed-schedule.tsx';
import { StatusBar } from './status-bar.tsx';
import { DraftContext, useDraft, useOpenDraft } from './use-draft.ts';

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
  const { draft, state } = useDraft();
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const { contest, values, content } = state;
  const type = types.find(({ handle }) => handle === content.content_type);
  return (
    <Page title={values.name.trim() === '' ? EDITOR_TEXTS.unnamed : values.name}>
      <nav aria-label={EDITOR_TEXTS.tabList}>
        <ul className={classes.tabs}>
          {listEditorTabs(site, id).map(({ label, link }) => (
            <li key={label}>
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
      <StatusBar site={site} type={type} />
      <AskBeforeLeaving
        isChanged={!state.isKept && state.status !== 'saved'}
        text={EDITOR_TEXTS.leaveText}
        within={`/sites/${site}/content/${id}`}
      />
    </Page>
  );
}

/** The tabs, in order. */
function listEditorTabs(site: string, id: string) {
  const params = { site, id };
  return [
    {
      label: EDITOR_TEXTS.tabs.edit,
      link: linkOptions({ to: '/sites/$site/content/$id', params, activeOptions: { exact: true } }),
    },
    { label: EDITOR_TEXTS.tabs.languages, link: linkOptions({ to: '/sites/$site/content/$id/languages', params }) },
    { label: EDITOR_TEXTS.tabs.seo, link: linkOptions({ to: '/sites/$site/content/$id/seo', params }) },
    { label: EDITOR_TEXTS.tabs.history, link: linkOptions({ to: '/sites/$site/content/$id/history', params }) },
    { label: EDITOR_TEXTS.tabs.links, link: linkOptions({ to: '/sites/$site/content/$id/links', params }) },
    { label: EDITOR_TEXTS.tabs.api, link: linkOptions({ to: '/sites/$site/content/$id/api', params }) },
  ];
}
