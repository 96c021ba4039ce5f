// Renders a page of changes as JSON text. The objects are already rendered, and their text is used unchanged.

import type { ContentChangeBody } from '@galley/wire';
import { formatTimestamp } from '../../content/timestamp.ts';
import { encodePosition } from '../../listing/change-position.ts';
import type { FoundChange } from '../../storage/changes/select-changes.ts';
import type { FilledPage } from './select-change-page.ts';

export function renderChanges({ changes, content, tooLarge, next, hasMore, endsSync }: FilledPage): string {
  const head = JSON.stringify({ changes: changes.map(renderChange) }).slice(0, -1);
  const foot = JSON.stringify({
    too_large: tooLarge,
    next_position: encodePosition(next),
    has_more: hasMore,
    drop_others: endsSync,
  }).slice(1);
  return `${head},"content":${content === null ? 'null' : `[${content.join(',')}]`},${foot}`;
}

function renderChange({ kind, id, type, language, at, uris, position }: FoundChange): ContentChangeBody {
  return {
    position: encodePosition(position),
    kind,
    id,
    content_type: type,
    language,
    time: formatTimestamp(at),
    moved: uris && { from: uris.from, to: uris.to },
  };
}
