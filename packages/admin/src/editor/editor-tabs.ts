// The tabs of the editor, in their order. Each is a route in `app/editor-routes.ts`, and has its line here.

import { linkOptions } from '@tanstack/react-router';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';

export function listEditorTabs(site: string, id: string) {
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
