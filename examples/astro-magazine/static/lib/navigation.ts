import { listNavigation, type Navigation } from '../../src/lib/read-content.ts';

const known = new Map<string, Promise<Navigation>>();

/** All pages of a build share the navigation, so it is read only once per language. */
export function readNavigation(language: string): Promise<Navigation> {
  const navigation = known.get(language) ?? listNavigation(language, 'published');
  known.set(language, navigation);
  return navigation;
}
