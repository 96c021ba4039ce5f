import { useSuspenseQuery } from '@tanstack/react-query';
import { nameLanguage } from '../languages/language-name.ts';
import { siteQuery } from './site-queries.ts';

/** Names the languages of a site. */
export function useLanguageNames(site: string): (tag: string) => string {
  const { data } = useSuspenseQuery(siteQuery(site));
  return (tag) => nameLanguage(tag, data.languages);
}
