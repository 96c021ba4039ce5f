// A URL should belong to one page only. A page cannot be published at the URL of another page in the same language. Pages that already
// share a URL can still be updated, and pages in other languages may have the same URL, because some front ends add the language
// themselves; both cases cause only warnings. Publishing checks this in its transaction. There is only one writer at a time, so no other
// page can take the URL before the commit.

import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { isFixedPattern } from '../../content/uri.ts';
import type { ContentVersion } from '../../storage/contents/content-versions.ts';
import { selectPublishedUri, selectUriHolders, type UriHolder } from '../../storage/contents/published-uris.ts';
import { findUri } from '../../storage/contents/write-content.ts';
import type { Procedure } from '../../storage/statement.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Subject } from './find-content.ts';

export interface UrlWarning {
  readonly reason: 'url_shared' | 'url_in_other_language';
  readonly message: string;
  readonly holder: UriHolder;
}

export interface UrlClashes {
  /** The page that prevents the version from being published. */
  readonly taken: TakenUrl | undefined;
  readonly warnings: readonly UrlWarning[];
}

interface TakenUrl {
  readonly uri: string;
  readonly holder: UriHolder;
  readonly fault: Fault;
  /** Advice for cases in which a different slug would not help. */
  readonly hint: string | undefined;
}

const NO_CLASHES: UrlClashes = { taken: undefined, warnings: [] };

export function* findUrlClashes(
  { catalog, type, record }: Pick<Subject, 'catalog' | 'type' | 'record'>,
  version: ContentVersion,
): Procedure<UrlClashes> {
  if (type.objectType !== 'page') return NO_CLASHES;
  const { no: siteNo, languages } = catalog.site;
  const uri = findUri(record, version, catalog);
  const { language } = record;
  const otherLanguages = languages.filter((each) => each !== language);
  const found = yield* selectUriHolders({ siteNo, language, otherLanguages, uri, exceptNo: record.no });
  const findIn = (each: string): readonly UriHolder[] => found.filter((holder) => holder.language === each);
  const holders = findIn(language);
  const elsewhere = otherLanguages.flatMap(findIn);
  const [holder] = holders;
  const isTaken = holder !== undefined && (yield* selectPublishedUri(record.no)) !== uri;
  const isBySlug = version.uri === null && type.uriPattern.includes('{slug}');
  const hint = version.uri === null && isFixedPattern(type.uriPattern) ? describeFixed(type) : undefined;
  const fault: Fault | undefined = holder && {
    path: isBySlug ? 'slug' : 'uri',
    message: `results in the URL /${uri}, which ${describeHolder(holder)} already uses${hint === undefined ? '' : `. ${hint}`}`,
    code: 'url_taken',
    values: { path: uri, id: holder.id, name: holder.name },
  };
  return {
    taken: isTaken && fault !== undefined ? { uri, holder, fault, hint } : undefined,
    warnings: [
      ...(isTaken ? [] : holders.map((each) => buildWarning('url_shared', uri, each))),
      ...elsewhere.map((each) => buildWarning('url_in_other_language', uri, each)),
    ],
  };
}

function buildWarning(reason: UrlWarning['reason'], uri: string, holder: UriHolder): UrlWarning {
  const place = reason === 'url_shared' ? '' : ` in the language ${holder.language}`;
  return { reason, message: `${describeHolder(holder)} is published at the same URL${place}: /${uri}`, holder };
}

function describeFixed({ handle }: ContentType): string {
  return `All content of type ${handle} has this URL: add {slug} to the type's URL pattern, or set the uri of this content`;
}

function describeHolder({ id, name }: UriHolder): string {
  return `“${name}” (${id})`;
}

export function refuseTakenUrl({ record }: Subject, { uri, holder, fault, hint }: TakenUrl): AuthoringRefusal {
  const { id, name, type, language } = holder;
  const sentence = `Content ${record.id} cannot be published: ${describeHolder(holder)} is already published at /${uri}.`;
  return new AuthoringRefusal(hint === undefined ? sentence : `${sentence} ${hint}.`, {
    reason: 'conflict',
    code: 'url_taken',
    faults: [fault],
    details: { reason: 'url_taken', path: uri, content: { id, name, content_type: type, language } },
  });
}
