import { type Content, openSite, PREFIXED_LANGUAGES } from '../../src/lib/content.ts';

/** All published content, in every language. The front page has a file of its own. */
export async function* listPages(): AsyncGenerator<Content> {
  for (const language of [undefined, ...PREFIXED_LANGUAGES]) {
    for await (const content of openSite(false).iterate({ params: { limit: 100 } }, { language })) {
      if (content.uri) yield content;
    }
  }
}
