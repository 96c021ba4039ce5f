// The languages of a site. None is taken away while content is in it, and every group of translations that has a record in
// the default language keeps having one: fallbacks lead there. Archived records are no part of this, in either language.

import { listNames } from '../../content/fault.ts';
import { countContentIn, selectUntranslatedContent } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';
import type { Desk } from '../desk.ts';
import { countThings, USES_SHOWN } from '../uses-refusal.ts';
import { changeSite } from './change-site.ts';

export const MOST_LANGUAGES = 100;

export function addLanguage(desk: Desk, actor: Actor, siteId: string, language: string): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site) => {
      const known = site.languages.find((each) => each.toLowerCase() === language.toLowerCase());
      if (known !== undefined) {
        throw new AuthoringRefusal(`The site ${siteId} has the language ${known} already.`, { reason: 'conflict' });
      }
      if (site.languages.length >= MOST_LANGUAGES) {
        throw new AuthoringRefusal(`A site has at most ${MOST_LANGUAGES} languages.`, { reason: 'conflict' });
      }
      return { ...site, languages: [...site.languages, language] };
    },
    () => ({ action: 'site.add_language', details: { language } }),
  );
}

export function removeLanguage(desk: Desk, actor: Actor, siteId: string, language: string): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site, job) => {
      if (!site.languages.includes(language)) {
        throw refuseAbsent(`The site ${siteId} has no language ${language}.`);
      }
      if (language === site.defaultLanguage) {
        const message = `${language} is the default language of the site ${siteId}. Make another one the default first.`;
        throw new AuthoringRefusal(message, { reason: 'conflict' });
      }
      const total = await job.run(countContentIn(site.no, language));
      if (total > 0) {
        const message = `The language ${language} cannot be removed: ${countThings(total, 'content record')} in it.`;
        throw new AuthoringRefusal(message, { reason: 'conflict', details: { total } });
      }
      return { ...site, languages: site.languages.filter((each) => each !== language) };
    },
    () => ({ action: 'site.remove_language', details: { language } }),
  );
}

/** Addresses of content stay as they were made: a pattern with {language} is filled in when content is saved or published. */
export function setDefaultLanguage(desk: Desk, actor: Actor, siteId: string, language: string): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site, job) => {
      if (!site.languages.includes(language)) {
        const message = `must be a language of the site: ${listNames(site.languages)}`;
        throw refuseFaults([{ path: 'language', message }]);
      }
      if (language === site.defaultLanguage) return site;
      const languages = { from: site.defaultLanguage, to: language };
      const { total, contents } = await job.run(selectUntranslatedContent(site.no, languages, USES_SHOWN));
      if (total > 0) {
        const message = `${language} cannot become the default language: ${countThings(total, 'content record')} in ${site.defaultLanguage} without one in ${language}.`;
        throw new AuthoringRefusal(message, { reason: 'conflict', details: { total, contents } });
      }
      return { ...site, defaultLanguage: language };
    },
    (before) => ({ action: 'site.set_default_language', details: { language, before: before.defaultLanguage } }),
  );
}
