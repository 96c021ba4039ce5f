// Everything that an editor sees about a content object: its newest version, the faults that prevent publishing, and its translations.

import { keepKnownValues } from '../../content/fit-values.ts';
import { type StoredContentRecord, selectGroup } from '../../storage/contents/content-records.ts';
import { selectPublishedUri } from '../../storage/contents/published-uris.ts';
import { selectAuthorNames } from '../../storage/contents/references.ts';
import { findUri } from '../../storage/contents/write-content.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { type Desk, prepareAt } from '../desk.ts';
import type { Prepared } from '../prepare-work.ts';
import { type Subject, selectSubject } from './find-content.ts';
import { mayBeMade } from './free-slug.ts';
import { findPublishFaults, NO_FINDINGS, type PublishFindings } from './publish-faults.ts';

export interface ContentDescription extends Subject, PublishFindings {
  readonly author: { readonly id: string; readonly name: string } | null;
  /** The path, relative to the site's URL, that the newest version has or would have. */
  readonly path: string;
  /** The path of the published version; null if there is none. */
  readonly publishedPath: string | null;
  /** Whether the slug is generated from the name, as it is for a draft until someone chooses a slug. */
  readonly isSlugMade: boolean;
  readonly translations: Translations;
  /** The text values whose stored form differs from what was sent; known only right after a save. */
  readonly sanitised: readonly string[];
}

export interface Translations {
  /** Including the content itself, in the order of the site's languages. */
  readonly records: readonly StoredContentRecord[];
  readonly missingLanguages: readonly string[];
}

export function readContent(desk: Desk, actor: Actor, siteId: string, contentId: string): Promise<ContentDescription> {
  return prepareAt(desk, actor, (prepared) => desk.storage.read(selectDescription(actor, siteId, contentId, prepared)));
}

/** Reads everything from a single snapshot. */
function* selectDescription(
  actor: Actor,
  siteId: string,
  contentId: string,
  prepared: Prepared,
): Procedure<ContentDescription> {
  return yield* describeContent(yield* selectSubject(actor, siteId, contentId), prepared);
}

export function* describeContent(subject: Subject, prepared: Prepared): Procedure<ContentDescription> {
  const { catalog, type, record, newest } = subject;
  const { authorNo } = newest;
  const place = { catalog, type, language: record.language, id: record.id };
  const authors = yield* selectAuthorNames(authorNo === null ? [] : [authorNo]);
  const author = authorNo === null ? undefined : authors.get(authorNo);
  return {
    ...subject,
    newest: { ...newest, fields: keepKnownValues(type, newest.fields, catalog.typesByHandle) },
    author: author === undefined ? null : { id: author.id, name: author.name },
    path: findUri(record, newest, catalog),
    publishedPath: yield* selectPublishedUri(record.no),
    isSlugMade: record.status === 'draft' && (yield* mayBeMade(place, newest.slug, newest.name)),
    ...(record.status === 'archived' ? NO_FINDINGS : yield* findPublishFaults(subject, newest, prepared)),
    translations: yield* findTranslations(subject),
    sanitised: [],
  };
}

export function* readTranslations(actor: Actor, siteId: string, contentId: string): Procedure<Translations> {
  return yield* findTranslations(yield* selectSubject(actor, siteId, contentId));
}

function* findTranslations({ catalog, record }: Subject): Procedure<Translations> {
  const { no, languages } = catalog.site;
  const records = yield* selectGroup(no, record.translationGroup);
  const places = (language: string): number => languages.indexOf(language);
  return {
    records: records.toSorted((one, other) => places(one.language) - places(other.language)),
    missingLanguages: languages.filter((language) => records.every((each) => each.language !== language)),
  };
}
