export const EDITOR_TEXTS = {
  tabList: 'Views of this content',
  tabs: { edit: 'Edit', languages: 'Languages', seo: 'SEO', history: 'History', links: 'Links', api: 'API' },
} as const;
