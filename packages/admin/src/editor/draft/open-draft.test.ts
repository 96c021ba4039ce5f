import type { ManagedContentBody } from '@galley/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import type { DraftValues } from './draft-values.ts';
import type { DraftKeeper, KeptDraft } from './kept-drafts.ts';
import { openDraft } from './open-draft.ts';

const CONTENT: ManagedContentBody = {
  id: 'c_1',
  content_type: 'post',
  language: 'en',
  name: 'Tide',
  slug: 'tide',
  author: null,
  author_name: null,
  state: 'draft',
  version: 1,
  published_version: null,
  published_at: null,
  publish_at: null,
  unpublish_at: null,
  created_at: '2026-03-01T08:00:00+00:00',
  updated_at: '2026-03-01T08:00:00+00:00',
  uri: null,
  path: 'tide',
  url: null,
  published_path: null,
  published_url: null,
  seo: {},
  fields: { title: { text: 'Tide' } },
  saved_by: null,
  faults: [],
  translations: [],
  missing_languages: [],
  sanitised: [],
};

/** A service with one content object, and a browser's memory. */
function createDesk(kept?: KeptDraft) {
  let stored = CONTENT;
  let memory = kept;
  let failure: Error | undefined;
  const keeper: DraftKeeper = {
    keep: (draft) => {
      memory = draft;
      return true;
    },
    read: () => memory,
    drop: () => {
      memory = undefined;
    },
  };
  const write = (values: Partial<DraftValues>): ManagedContentBody => {
    stored = { ...stored, ...values, version: stored.version + 1, saved_by: { id: 'p_2', name: 'Edgar' } };
    return stored;
  };
  return {
    keeper,
    write,
    stored: () => stored,
    memory: () => memory,
    failWith: (error: Error | undefined) => {
      failure = error;
    },
    open: () =>
      openDraft({
        content: stored,
        keeper,
        read: async () => stored,
        save: async (version, values) => {
          if (failure !== undefined) throw failure;
          if (version !== stored.version) {
            throw new ApiError(409, { message: 'Edgar has saved', details: { current_version: stored.version } });
          }
          return write(values);
        },
        onSaved: () => undefined,
      }),
  };
}

const rename = (name: string) => (values: DraftValues) => ({ ...values, name });
const retitle = (text: string) => (values: DraftValues) => ({ ...values, fields: { title: { text } } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a change is kept at once, and saved after a pause', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  expect(draft.read().status).toBe('changed');
  expect(desk.memory()).toMatchObject({ version: 1, values: { name: 'Tides' } });
  expect(desk.stored().name).toBe('Tide');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(draft.read().status).toBe('saved');
  expect(desk.stored()).toMatchObject({ name: 'Tides', version: 2 });
  expect(desk.memory()).toBeUndefined();
});

test('whoever never pauses is saved all the same', async () => {
  const desk = createDesk();
  const draft = desk.open();
  for (let second = 0; second < 25; second += 1) {
    draft.change(rename(`Tide ${second}`));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(desk.stored().version).toBe(2);
});

test('without a connection it stays kept, and is saved when the service answers again', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ConnectionError('down'));
  draft.change(rename('Tides'));
  expect(await draft.flush()).toBe(false);
  expect(draft.read().status).toBe('offline');
  draft.change(rename('Tides and ebbs'));
  expect(draft.read().status).toBe('offline');
  expect(desk.memory()?.values.name).toBe('Tides and ebbs');
  desk.failWith(undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(draft.read().status).toBe('saved');
  expect(desk.stored().name).toBe('Tides and ebbs');
});

test('what was not saved before a reload is put back', async () => {
  const desk = createDesk();
  desk.open().change(rename('Tides'));
  const draft = desk.open();
  expect(draft.read()).toMatchObject({ values: { name: 'Tides' }, status: 'changed', news: { kind: 'restored' } });
  expect(await draft.flush()).toBe(true);
  expect(desk.stored().name).toBe('Tides');
});

test('changes of another editor to other parts are taken in', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  desk.write({ fields: { title: { text: 'Ebb' } } });
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toEqual({ kind: 'merged', by: 'Edgar' });
  expect(desk.stored()).toMatchObject({ name: 'Tides', fields: { title: { text: 'Ebb' } }, version: 3 });
});

test('what both changed is contested, and saved as it is settled', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change((values) => retitle('Mine')(rename('My tide')(values)));
  desk.write({ name: 'Their tide', fields: { title: { text: 'Theirs' } } });
  expect(await draft.flush()).toBe(false);
  expect(draft.read().contest?.parts.map(({ path }) => path)).toEqual(['name', 'fields.title']);
  expect(desk.memory()?.values.name).toBe('My tide');
  draft.settleContest(['fields.title']);
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'My tide', fields: { title: { text: 'Theirs' } }, version: 3 });
});

test('an unsaved text of an older version meets the newer one', () => {
  const desk = createDesk();
  desk.open().change(retitle('Mine'));
  desk.write({ fields: { title: { text: 'Theirs' } } });
  expect(desk.open().read()).toMatchObject({ status: 'contested', values: { fields: { title: { text: 'Mine' } } } });
});

test('a refusal names its places, asks for the focus where somebody asked to save, and goes when it is mended', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ApiError(422, { message: 'No.', errors: [{ path: 'slug', message: 'is taken' }] }));
  draft.change(rename('Tides'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(draft.read()).toMatchObject({ status: 'refused', faults: [{ path: 'slug' }], focusRequests: 0 });
  expect(await draft.flush()).toBe(false);
  expect(draft.read().focusRequests).toBe(1);
  desk.failWith(undefined);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().faults).toEqual([]);
});

test('a newer version from elsewhere is shown where nothing was written, and an older one is not', () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.adopt(desk.write({ name: 'Restored' }));
  expect(draft.read()).toMatchObject({ values: { name: 'Restored' }, status: 'saved' });
  draft.adopt(CONTENT);
  expect(draft.read().values.name).toBe('Restored');
});
