// What stands around every tab of one content object: its name, the tabs, and where it stands.

import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { Page } from '../elements/page.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { contentQuery } from './content-queries.ts';
import classes from './editor-frame.module.css';
import { listEditorTabs } from './editor-tabs.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id');

export function EditorFrame() {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  return (
    <Page title={content.name}>
      <nav aria-label={EDITOR_TEXTS.tabList}>
        <ul className={classes.tabs}>
          {listEditorTabs(site, id).map(({ label, link }) => (
            <li key={label}>
              <Link {...link} className={classes.tab}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </Page>
  );
}
