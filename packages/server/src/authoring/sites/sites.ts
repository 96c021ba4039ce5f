// Creates and changes sites. Calls that change nothing are not written to the audit log.

import type { Site } from '../../content/catalog.ts';
import { listNames, notAllowed } from '../../content/fault.ts';
import { buildId } from '../../content/ids.ts';
import { countContentIn, selectUntranslatedContent } from '../../storage/contents/content-uses.ts';
import { selectSite } from '../../storage/sites/select-catalog.ts';
import { isDeletionUnfinished, writeSite } from '../../storage/sites/write-site.ts';
import type { Actor } from '../actor.ts';
import type { AuditNote } from '../audit-note.ts';
import { describeChange } from '../audit-note.ts';
import { AuthoringRefusal, countThings, refuseAbsent, refuseFaults, USES_SHOWN } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findSite } from './find-site.ts';
import { changePreviewAddresses, type PreviewUrls, placePreviewUrls } from './preview-settings.ts';

export interface SiteRequest {
  /** Null to generate an id. */
  readonly id: string | null;
  readonly name: string;
  /** Without a trailing slash; null if the site has no URL. */
  readonly url: string | null;
  readonly defaultLanguage: string;
  /** Including the default language. */
  readonly languages: readonly string[];
}

export function createSite(desk: Desk, actor: Actor, request: SiteRequest): Promise<Site> {
  return work(desk, actor, async (job) => {
    const id = request.id ?? buildId('site', job.newUuid());
    const known = await job.run(selectSite(id));
    if (known !== undefined) {
      // Ids are unique across accounts, but the name of another account's site must not be shown.
      const name = known.accountNo === actor.accountNo ? `: ${known.name}` : '';
      const details = { reason: 'id_taken' };
      throw new AuthoringRefusal(`Site ${id} already exists${name}.`, { reason: 'conflict', code: 'taken', details });
    }
    if (await job.run(isDeletionUnfinished(id))) {
      const message = `Site ${id} is being deleted. Wait until it is gone, or delete it again to resume the deletion.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'taken', details: { reason: 'being_deleted' } });
    }
    const site = { ...request, id, accountNo: actor.accountNo };
    const { no } = await job.run(writeSite(site, job.now));
    await job.note({ action: 'site.create', siteId: id, subjectId: id, subjectName: site.name });
    return { no, ...site };
  });
}

/** @param change returns the changed site, or throws a refusal */
function changeSite(
  desk: Desk,
  actor: Actor,
  siteId: string,
  change: (site: Site, job: Job) => Promise<Site>,
  note: (before: Site, after: Site) => Pick<AuditNote, 'action' | 'details'>,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const before = await findSite(job, siteId);
    const after = await change(before, job);
    const { hasChanged } = await job.run(writeSite(after, job.now));
    if (!hasChanged) return;
    await job.note({ ...note(before, after), siteId, subjectId: siteId, subjectName: after.name });
  });
}

/** Omitted properties stay as they are. */
export interface SiteChange {
  readonly name?: string | undefined;
  /** Without a trailing slash; null removes the URL. */
  readonly url?: string | null | undefined;
  readonly previews: PreviewUrls;
}

export function updateSite(desk: Desk, actor: Actor, siteId: string, change: SiteChange): Promise<void> {
  const { name, url, previews } = change;
  return changeSite(
    desk,
    actor,
    siteId,
    async (site, job) => {
      await changePreviewAddresses(job, site, (known) => placePreviewUrls(known, previews));
      return { ...site, name: name ?? site.name, url: url === undefined ? site.url : url };
    },
    (before, after) => ({
      action: 'site.update',
      details: describeChange({ name: before.name, url: before.url }, { name: after.name, url: after.url }),
    }),
  );
}

// A language that content uses cannot be removed. Every translation group with content in the current default language must also have
// content in the new default language, because lists fall back to that language. Both rules ignore archived content.

export const MOST_LANGUAGES = 100;

export function addLanguage(desk: Desk, actor: Actor, siteId: string, language: string): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site) => {
      const known = site.languages.find((each) => each.toLowerCase() === language.toLowerCase());
      if (known !== undefined) {
        const message = `Site ${siteId} already has the language ${known}.`;
        const details = { reason: 'language_exists', language: known };
        throw new AuthoringRefusal(message, { reason: 'conflict', code: 'taken', details });
      }
      if (site.languages.length >= MOST_LANGUAGES) {
        const message = `A site can have at most ${MOST_LANGUAGES} languages.`;
        throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached' });
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
        throw refuseAbsent(`Site ${siteId} does not have the language ${language}.`);
      }
      if (language === site.defaultLanguage) {
        const message = `${language} is the default language of site ${siteId}. Make a different language the default first.`;
        throw new AuthoringRefusal(message, { reason: 'conflict', details: { reason: 'default_language', language } });
      }
      const total = await job.run(countContentIn(site.no, language));
      if (total > 0) {
        const message = `The language ${language} cannot be removed: ${countThings(total, 'content record')} in this language.`;
        throw new AuthoringRefusal(message, { reason: 'conflict', code: 'in_use', details: { total } });
      }
      return { ...site, languages: site.languages.filter((each) => each !== language) };
    },
    () => ({ action: 'site.remove_language', details: { language } }),
  );
}

/** Content URLs stay as they are: the {language} in a pattern is filled in when content is saved or published. */
export function setDefaultLanguage(desk: Desk, actor: Actor, siteId: string, language: string): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site, job) => {
      if (!site.languages.includes(language)) {
        const message = `must be one of the site's languages: ${listNames(site.languages)}`;
        throw refuseFaults([{ path: 'language', message, ...notAllowed(language) }]);
      }
      if (language === site.defaultLanguage) return site;
      const languages = { from: site.defaultLanguage, to: language };
      const { total, contents } = await job.run(selectUntranslatedContent(site.no, languages, USES_SHOWN));
      if (total > 0) {
        const message = `${language} cannot become the default language: ${countThings(total, 'content record')} in ${site.defaultLanguage} without a translation into ${language}.`;
        const details = { reason: 'untranslated', language, default_language: site.defaultLanguage, total, contents };
        throw new AuthoringRefusal(message, { reason: 'conflict', details });
      }
      return { ...site, defaultLanguage: language };
    },
    (before) => ({ action: 'site.set_default_language', details: { language, before: before.defaultLanguage } }),
  );
}
