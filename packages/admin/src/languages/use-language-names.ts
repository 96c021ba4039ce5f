import { useSuspenseQuery } from '@tanstack/react-query';
import { siteQuery } from '../sites/site-queries.ts';
import { nameLanguage } from './language-name.ts';

/** Names the languages of a site. */
export function useLanguageNames(site: string): (tag: string) => string {
  const { data } = useSuspenseQuery(siteQuery(site));
  return (tag) => nameLanguage(tag, data.languages);
}
