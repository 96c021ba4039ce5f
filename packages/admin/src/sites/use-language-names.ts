import { useSuspenseQuery } from '@tanstack/react-query';
import { nameLanguage } from '../texts/language-name.ts';
import { siteQuery } from './site-queries.ts';

/** Returns a function that names a site's languages. */
export function useLanguageNames(site: string): (tag: string) => string {
  const { data } = useSuspenseQuery(siteQuery(site));
  return (tag) => nameLanguage(tag, data.languages);
}
