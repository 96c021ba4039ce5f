// What was written and not saved yet, kept in this browser for one person and one content object. It holds texts of
// content and nothing else, and goes when they are saved.

import { isRecord } from '../fields/field-values.ts';
import type { DraftValues } from './draft-values.ts';

export interface KeptDraft {
  /** The version that it was made from, and its values. */
  readonly version: number;
  readonly saved: DraftValues;
  readonly values: DraftValues;
}

export interface DraftKeeper {
  /** @returns whether the browser had room for it */
  keep(draft: KeptDraft): boolean;
  read(): KeptDraft | undefined;
  /** Forgets what this keeper kept last; what another tab has kept since stays. */
  drop(): void;
}

export function createDraftKeeper(storage: Storage, user: string, site: string, content: string): DraftKeeper {
  const key = `galley-draft:${user}:${site}:${content}`;
  let own: string | null = null;
  return {
    keep(draft) {
      own = JSON.stringify(draft);
      try {
        storage.setItem(key, own);
        return true;
      } catch {
        return false;
      }
    },
    read() {
      own = storage.getItem(key);
      return own === null ? undefined : parseKeptDraft(own);
    },
    drop() {
      if (own !== null && storage.getItem(key) === own) storage.removeItem(key);
      own = null;
    },
  };
}

function parseKeptDraft(text: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    return isKeptDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKeptDraft(value: unknown): value is KeptDraft {
  return isRecord(value) && typeof value.version === 'number' && isDraft(value.saved) && isDraft(value.values);
}

function isDraft(value: unknown): value is DraftValues {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.slug === 'string' &&
    (value.author === null || typeof value.author === 'string') &&
    isRecord(value.seo) &&
    isRecord(value.fields)
  );
}
