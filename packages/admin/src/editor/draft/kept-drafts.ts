// Keeps unsaved text in this browser, separately for each person, content object and open editor. The text is dropped when it is
// saved, when that person signs out, and after a month.

import { isRecord } from '../fields/field-values.ts';
import type { DraftChange } from './merge-drafts.ts';

const ROOT = 'galley-draft:';
const LONGEST_MS = 30 * 24 * 60 * 60 * 1_000;

export interface DraftPlace {
  readonly user: string;
  readonly site: string;
  readonly content: string;
}

export interface DraftKeeper {
  /** @returns whether the browser had room for the text */
  keep(changes: readonly DraftChange[]): boolean;
  drop(): void;
  /** Leaves the kept text for the next editor of this content. */
  close(): void;
}

export interface OpenedKeeper {
  readonly keeper: DraftKeeper;
  /** The unsaved text that an earlier editor left behind. */
  readonly kept: readonly DraftChange[];
}

interface KeptDraft {
  readonly at: number;
  readonly changes: readonly DraftChange[];
}

/**
 * Each open editor has its own key, and a lock with the same name, so two tabs never take each other's text.
 * @param locks undefined if the page was loaded over plain HTTP, where tabs cannot detect each other
 */
export async function openDraftKeeper(
  storage: Storage,
  locks: LockManager | undefined,
  place: DraftPlace,
): Promise<OpenedKeeper> {
  const prefix = buildPrefix(place);
  const key = `${prefix}${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  const release = await holdLock(locks, key);
  const keeper = createDraftKeeper(storage, key, release);
  // Takes only the newest draft. The editor that opens next takes the newest remaining draft, and compares it with the text that this
  // editor saved.
  for (const left of listNewestFirst(storage, prefix)) {
    const taken = await runAlone(locks, left, () => moveDraft(storage, left, key));
    if (taken !== undefined) return { keeper, kept: taken.changes };
  }
  return { keeper, kept: [] };
}

function createDraftKeeper(storage: Storage, key: string, release: () => void): DraftKeeper {
  return {
    keep(changes) {
      const draft: KeptDraft = { at: Date.now(), changes };
      try {
        storage.setItem(key, JSON.stringify(draft));
        return true;
      } catch {
        return false;
      }
    },
    drop: () => storage.removeItem(key),
    close: release,
  };
}

export function hasKeptDrafts(storage: Storage, user: string): boolean {
  return listKeys(storage, `${ROOT}${user}:`).length > 0;
}

export function dropKeptDrafts(storage: Storage, user: string): void {
  for (const key of listKeys(storage, `${ROOT}${user}:`)) storage.removeItem(key);
}

/** Drops drafts after a month, because they are unlikely to be needed and other people may use the device. */
export function dropOldDrafts(storage: Storage, now: number): void {
  for (const key of listKeys(storage, ROOT)) {
    const { at } = parseKeptDraft(storage.getItem(key)) ?? { at: 0 };
    if (now - at > LONGEST_MS) storage.removeItem(key);
  }
}

function buildPrefix({ user, site, content }: DraftPlace): string {
  return `${ROOT}${user}:${site}:${content}:`;
}

function listKeys(storage: Storage, prefix: string): readonly string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  );
}

function listNewestFirst(storage: Storage, prefix: string): readonly string[] {
  return listKeys(storage, prefix)
    .map((key) => ({ key, at: parseKeptDraft(storage.getItem(key))?.at ?? 0 }))
    .sort((one, other) => other.at - one.at)
    .map(({ key }) => key);
}

/** Removes the old key first, because there may be no room for both. */
function moveDraft(storage: Storage, from: string, to: string): KeptDraft | undefined {
  const text = storage.getItem(from);
  storage.removeItem(from);
  const draft = parseKeptDraft(text);
  if (text !== null && draft !== undefined) storage.setItem(to, text);
  return draft;
}

/** @returns a function that releases the lock */
function holdLock(locks: LockManager | undefined, name: string): Promise<() => void> {
  if (locks === undefined) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    void locks.request(name, () => new Promise<void>((release) => resolve(release)));
  });
}

/** Runs only if nobody holds the lock. */
function runAlone<Answer>(
  locks: LockManager | undefined,
  name: string,
  run: () => Answer | undefined,
): Promise<Answer | undefined> {
  if (locks === undefined) return Promise.resolve(run());
  return locks.request(name, { ifAvailable: true }, async (lock) => (lock === null ? undefined : run()));
}

function parseKeptDraft(text: string | null): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    return isKeptDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKeptDraft(value: unknown): value is KeptDraft {
  return (
    isRecord(value) &&
    typeof value.at === 'number' &&
    Array.isArray(value.changes) &&
    value.changes.every(isDraftChange)
  );
}

function isDraftChange(value: unknown): value is DraftChange {
  return isRecord(value) && typeof value.path === 'string' && 'mine' in value && Array.isArray(value.known);
}
