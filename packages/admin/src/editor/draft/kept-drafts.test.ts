import { expect, test } from 'vitest';
import { dropKeptDrafts, dropOldDrafts, hasKeptDrafts, openDraftKeeper } from './kept-drafts.ts';

const PLACE = { user: 'p_anna', site: 's_1', content: 'c_1' };
const CHANGES = [{ path: 'name', mine: 'Tides', known: ['Tide'] }];
const LATER = [{ path: 'name', mine: 'Tides and ebbs', known: ['Tide'] }];

/** Fake browser storage for text up to this length. */
function createStorage(room = 10_000): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

test('restores unsaved text in the next editor, but only once', async () => {
  const storage = createStorage();
  const first = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(first.kept).toEqual([]);
  first.keeper.keep(CHANGES);
  first.keeper.close();
  const second = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(second.kept).toEqual(CHANGES);
  expect(storage.length).toBe(1);
  second.keeper.drop();
  second.keeper.close();
  const third = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(third.kept).toEqual([]);
  third.keeper.close();
});

test('does not restore text that is open in another tab', async () => {
  const storage = createStorage();
  const first = await openDraftKeeper(storage, navigator.locks, PLACE);
  first.keeper.keep(CHANGES);
  const second = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(second.kept).toEqual([]);
  second.keeper.keep(LATER);
  second.keeper.drop();
  second.keeper.close();
  first.keeper.close();
  const third = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(third.kept).toEqual(CHANGES);
  third.keeper.close();
});

test('restores the unsaved text from two closed tabs', async () => {
  const storage = createStorage();
  const tabs = [
    await openDraftKeeper(storage, navigator.locks, PLACE),
    await openDraftKeeper(storage, navigator.locks, PLACE),
  ];
  for (const [index, { keeper }] of tabs.entries()) keeper.keep(index === 0 ? CHANGES : LATER);
  for (const { keeper } of tabs) keeper.close();
  const first = await openDraftKeeper(storage, navigator.locks, PLACE);
  const second = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect([first.kept, second.kept]).toEqual(expect.arrayContaining([CHANGES, LATER]));
  for (const { keeper } of [first, second]) keeper.close();
});

test('restores text in a browser without locks', async () => {
  const storage = createStorage();
  (await openDraftKeeper(storage, undefined, PLACE)).keeper.keep(CHANGES);
  expect((await openDraftKeeper(storage, undefined, PLACE)).kept).toEqual(CHANGES);
});

test('removes older text from storage once newer text that did not fit has been saved', async () => {
  const storage = createStorage(100);
  const { keeper } = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(keeper.keep(CHANGES)).toBe(true);
  expect(keeper.keep([{ path: 'name', mine: 'x'.repeat(200), known: [] }])).toBe(false);
  keeper.drop();
  expect(storage.length).toBe(0);
  keeper.close();
});

test('ignores drafts from other people, drafts of other content, and invalid entries', async () => {
  const storage = createStorage();
  storage.setItem('galley-draft:p_anna:s_1:c_1:1', 'not JSON');
  storage.setItem('galley-draft:p_anna:s_1:c_1:2', JSON.stringify({ at: 1, changes: [{ path: 1 }] }));
  storage.setItem('galley-draft:p_ben:s_1:c_1:3', JSON.stringify({ at: 1, changes: CHANGES }));
  storage.setItem('galley-draft:p_anna:s_1:c_12:4', JSON.stringify({ at: 1, changes: CHANGES }));
  const { kept, keeper } = await openDraftKeeper(storage, navigator.locks, PLACE);
  expect(kept).toEqual([]);
  expect(storage.length).toBe(2);
  keeper.close();
});

test("drops one person's drafts, and drafts older than a month", async () => {
  const storage = createStorage();
  const now = Date.parse('2026-03-31T00:00:00Z');
  const keepAt = (key: string, time: string): void =>
    storage.setItem(`galley-draft:${key}`, JSON.stringify({ at: Date.parse(time), changes: CHANGES }));
  keepAt('p_anna:s_1:c_1:1', '2026-02-01T00:00:00Z');
  keepAt('p_anna:s_1:c_1:2', '2026-03-30T00:00:00Z');
  keepAt('p_ben:s_1:c_1:1', '2026-03-30T00:00:00Z');
  storage.setItem('theme', 'dark');
  dropOldDrafts(storage, now);
  expect(storage.length).toBe(3);
  dropKeptDrafts(storage, 'p_anna');
  expect([hasKeptDrafts(storage, 'p_anna'), hasKeptDrafts(storage, 'p_ben')]).toEqual([false, true]);
  expect(storage.getItem('theme')).toBe('dark');
});
