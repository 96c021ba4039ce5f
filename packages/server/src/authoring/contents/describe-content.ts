// All that an editor sees of a content object: its newest version, what keeps it from being published, its translations.

import type { Fault } from '../../content/fault.ts';
import { keepKnownValues } from '../../content/known-values.ts';
import { findState } from '../../content/lifecycle.ts';
import { buildUri } from '../../content/uri.ts';
import { type StoredContentRecord, selectAuthorNames, selectGroup } from '../../storage/port.ts';
import type { Reader } from '../reader.ts';
import type { Subject } from './find-content.ts';
import { findPublishFaults } from './publish-faults.ts';

export interface ContentDescription extends Subject {
  readonly author: { readonly id: string; readonly name: string } | null;
  /** Where the newest version is or would be, below the site's address. */
  readonly path: string;
  readonly faults: readonly Fault[];
  readonly translations: Translations;
  /** The texts that were not kept as they were sent; known only right after a save. */
  readonly sanitised: readonly string[];
}

export interface Translations {
  /** The content itself among them, in the order of the site's languages. */
  readonly records: readonly StoredContentRecord[];
  readonly missingLanguages: readonly string[];
}

export async function describeContent(reader: Reader, subject: Subject): Promise<ContentDescription> {
  const { catalog, type, record, newest } = subject;
  const { slug, authorNo } = newest;
  const { defaultLanguage } = catalog.site;
  const authors = await reader.run(selectAuthorNames(authorNo === null ? [] : [authorNo]));
  const author = authorNo === null ? undefined : authors.get(authorNo);
  return {
    ...subject,
    newest: { ...newest, fields: keepKnownValues(type, newest.fields, catalog.typesByHandle) },
    author: author === undefined ? null : { id: author.id, name: author.name },
    path: newest.uri ?? buildUri(type.uriPattern, { slug, id: record.id, language: record.language, defaultLanguage }),
    faults: findState(record) === 'archived' ? [] : await findPublishFaults(reader, subject, newest),
    translations: await findTranslations(reader, subject),
    sanitised: [],
  };
}

export async function findTranslations(reader: Reader, { catalog, record }: Subject): Promise<Translations> {
  const { no, languages } = catalog.site;
  const records = await reader.run(selectGroup(no, record.translationGroup));
  const places = (language: string): number => languages.indexOf(language);
  return {
    records: records.toSorted((one, other) => places(one.language) - places(other.language)),
    missingLanguages: languages.filter((language) => records.every((each) => each.language !== language)),
  };
}
