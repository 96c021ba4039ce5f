import type { VersionBody, VersionEntryBody } from '@galley/wire';
import { formatTimestamp } from '../../content/timestamp.ts';
import type { StoredContentRecord, VersionEntry, WholeVersion } from '../../storage/port.ts';

export function renderEntry(record: StoredContentRecord, version: VersionEntry): VersionEntryBody {
  const { number, name, savedAt, savedBy, wasPublished, restoredFrom } = version;
  const isPublished = number === record.publishedVersion;
  return {
    number,
    name,
    saved_at: formatTimestamp(savedAt),
    saved_by: savedBy === null ? null : { id: savedBy.id, name: savedBy.name },
    is_newest: number === record.newestVersion,
    is_published: isPublished,
    was_published: wasPublished || isPublished,
    restored_from: restoredFrom,
  };
}

export function renderVersion(record: StoredContentRecord, version: WholeVersion): VersionBody {
  const { slug, uri, author, seo, fields } = version;
  return { ...renderEntry(record, version), slug, uri, author, seo: { ...seo }, fields };
}
