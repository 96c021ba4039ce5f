import type { ManagedContentBody } from '@galley/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { isRecord } from '../fields/field-values.ts';
import type { DraftChange } from './draft-changes.ts';
import type { DraftValues } from './draft-values.ts';
import type { DraftKeeper } from './kept-drafts.ts';
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

type Answer = 'arrives' | 'is lost';

/** A service with one content object, and a browser's memory. */
function createDesk() {
  let stored = CONTENT;
  let memory: readonly DraftChange[] = [];
  let failure: Error | undefined;
  let answer: Answer = 'arrives';
  let delay: Promise<unknown> = Promise.resolve();
  let hasRoom = true;
  let handles = ['title', 'lead'];
  let closed = 0;
  let saves = 0;
  const keeper: DraftKeeper = {
    keep: (changes) => {
      if (hasRoom) memory = changes;
      return hasRoom;
    },
    drop: () => {
      memory = [];
    },
    close: () => {
      closed += 1;
    },
  };
  const write = (values: Partial<DraftValues>): ManagedContentBody => {
    stored = { ...stored, ...values, version: stored.version + 1, saved_by: { id: 'p_2', name: 'Edgar' } };
    return stored;
  };
  const store = (version: number, values: DraftValues): ManagedContentBody => {
    const unknown = Object.keys(values.fields).filter((handle) => !handles.includes(handle));
    if (unknown.length > 0) {
      const errors = unknown.map((handle) => ({ path: `fields.${handle}`, message: 'is not a field of post' }));
      throw new ApiError(422, { message: 'No.', errors });
    }
    if (version !== stored.version) {
      throw new ApiError(409, { message: 'Edgar has saved', details: { current_version: stored.version } });
    }
    const { title } = values.fields;
    const text = isRecord(title) ? String(title.text) : '';
    const clean = text.replace('<iframe>', '');
    const fields = { ...values.fields, title: { text: clean } };
    return { ...write({ ...values, fields }), sanitised: clean === text ? [] : ['fields.title.text'] };
  };
  return {
    write,
    stored: () => stored,
    memory: () => memory,
    saves: () => saves,
    isClosed: () => closed > 0,
    failWith: (error: Error | undefined) => {
      failure = error;
    },
    answerThat: (next: Answer) => {
      answer = next;
    },
    /** Saves are answered when the promise is kept. */
    delayBy: (next: Promise<unknown>) => {
      delay = next;
    },
    fillUp: () => {
      hasRoom = false;
    },
    deleteField: (handle: string) => {
      handles = handles.filter((each) => each !== handle);
      const { [handle]: _, ...fields } = stored.fields;
      stored = { ...stored, fields };
    },
    open: () =>
      openDraft({
        content: stored,
        keeper,
        kept: memory,
        read: async () => stored,
        readFit: async () => (values) => ({
          ...values,
          fields: Object.fromEntries(Object.entries(values.fields).filter(([handle]) => handles.includes(handle))),
        }),
        save: async (version, values) => {
          saves += 1;
          if (failure !== undefined) throw failure;
          const saved = store(version, values);
          const [isHeard] = [answer === 'arrives', await delay];
          if (!isHeard) throw new ConnectionError('lost');
          return saved;
        },
        onSaved: () => undefined,
        onClosed: () => undefined,
      }),
  };
}

const rename = (name: string) => (values: DraftValues) => ({ ...values, name });
const retitle = (text: string) => (values: DraftValues) => ({
  ...values,
  fields: { ...values.fields, title: { text } },
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a change is kept at once, and saved after a pause', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  expect(draft.read().status).toBe('changed');
  expect(desk.memory()).toEqual([{ path: 'name', mine: 'Tides', known: ['Tide'] }]);
  expect(desk.stored().name).toBe('Tide');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(draft.read().status).toBe('saved');
  expect(desk.stored()).toMatchObject({ name: 'Tides', version: 2 });
  expect(desk.memory()).toEqual([]);
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
  expect(desk.memory()).toMatchObject([{ path: 'name', mine: 'Tides and ebbs' }]);
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
  expect(desk.memory()).toMatchObject([{ mine: 'My tide' }, { mine: { text: 'Mine' } }]);
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

test('a refusal names its places, and goes when it is mended', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ApiError(422, { message: 'No.', errors: [{ path: 'slug', message: 'is taken' }] }));
  draft.change(rename('Tides'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(draft.read()).toMatchObject({ status: 'refused', faults: [{ path: 'slug' }], focusRequests: 0 });
  expect(await draft.flush()).toBe(false);
  draft.focusFirstFault();
  expect(draft.read()).toMatchObject({ status: 'refused', focusRequests: 1 });
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

test('what is written while a publish is under way stays, and is saved', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  expect(await draft.flush()).toBe(true);
  draft.change(rename('Tides and ebbs'));
  draft.adopt({ ...desk.stored(), state: 'published', published_version: 2 });
  draft.showStored();
  expect(draft.read()).toMatchObject({ values: { name: 'Tides and ebbs' }, content: { state: 'published' } });
  expect(desk.memory()).toMatchObject([{ mine: 'Tides and ebbs' }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.stored().name).toBe('Tides and ebbs');
});

test('a contest is still one after more was written and the page was opened anew', async () => {
  const desk = createDesk();
  desk.open().change(retitle('Mine'));
  desk.write({ fields: { title: { text: 'Theirs' } } });
  desk.open().change(rename('My tide'));
  const draft = desk.open();
  expect(draft.read()).toMatchObject({
    status: 'contested',
    values: { name: 'My tide', fields: { title: { text: 'Mine' } } },
  });
  expect(await draft.flush()).toBe(false);
  expect(desk.stored().fields).toEqual({ title: { text: 'Theirs' } });
  draft.settleContest(['fields.title']);
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'My tide', fields: { title: { text: 'Theirs' } } });
});

test('a contest is about the newest version, and ends when that version says the same', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Mine'));
  desk.write({ fields: { title: { text: 'Theirs' } } });
  expect(await draft.flush()).toBe(false);
  draft.adopt(desk.write({ fields: { title: { text: 'Theirs, again' } } }));
  expect(draft.read().contest).toMatchObject({
    theirs: { version: 3 },
    parts: [{ theirs: { text: 'Theirs, again' } }],
  });
  draft.adopt(desk.write({ fields: { title: { text: 'Mine' } } }));
  expect(draft.read()).toMatchObject({ status: 'saved', contest: undefined });
  expect(desk.memory()).toEqual([]);
});

test('what is written during a slow save is saved after it', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Tides'));
  await vi.advanceTimersByTimeAsync(1_600);
  draft.change(rename('Tides and ebbs'));
  await vi.advanceTimersByTimeAsync(4_000);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(draft.read().status).toBe('saved');
  expect(desk.stored().name).toBe('Tides and ebbs');
});

test('whoever leaves during a save has the last words saved too, and then the draft is closed', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const leave = draft.start();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Tides'));
  await vi.advanceTimersByTimeAsync(1_600);
  draft.change(rename('Tides and ebbs'));
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.isClosed()).toBe(false);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.stored().name).toBe('Tides and ebbs');
  expect(desk.isClosed()).toBe(true);
});

test('whoever leaves without a connection has it saved when the service answers again', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const leave = draft.start();
  desk.failWith(new ConnectionError('down'));
  draft.change(rename('Tides'));
  leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(desk.memory()).toMatchObject([{ mine: 'Tides' }]);
  desk.failWith(undefined);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(desk.stored().name).toBe('Tides');
  expect(desk.isClosed()).toBe(true);
});

test('when the session has ended nothing more is sent, and what was written stays kept', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  draft.close();
  expect(await draft.flush()).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(desk.saves()).toBe(0);
  expect(desk.memory()).toMatchObject([{ mine: 'Tides' }]);
});

test('nobody is in conflict with themselves after an answer was lost', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.answerThat('is lost');
  draft.change(rename('Ta'));
  await draft.flush();
  expect(draft.read().status).toBe('offline');
  desk.answerThat('arrives');
  draft.change(rename('Tab'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read().contest).toBeUndefined();
  expect(desk.stored()).toMatchObject({ name: 'Tab', version: 3 });
});

test('nobody is in conflict with themselves after the page was closed in the middle of a save', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.delayBy(new Promise(() => undefined));
  draft.change(rename('Ta'));
  void draft.flush();
  draft.change(rename('Tab'));
  expect(desk.stored().name).toBe('Ta');
  desk.delayBy(Promise.resolve());
  const again = desk.open();
  expect(again.read()).toMatchObject({ status: 'changed', values: { name: 'Tab' } });
  expect(await again.flush()).toBe(true);
  expect(desk.stored().name).toBe('Tab');
});

test('the own version that is read before the answer to its save is no other one', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Ta'));
  const saving = draft.flush();
  draft.change(rename('Tab'));
  draft.adopt({ ...desk.stored() });
  slow.resolve();
  expect(await saving).toBe(true);
  expect(draft.read()).toMatchObject({ contest: undefined, news: undefined });
  expect(desk.stored()).toMatchObject({ name: 'Tab', version: 3 });
});

test('what another has saved during a save is taken in after it', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Tides'));
  const saving = draft.flush();
  draft.adopt(desk.write({ slug: 'theirs' }));
  slow.resolve();
  expect(await saving).toBe(true);
  expect(draft.read()).toMatchObject({ values: { name: 'Tides', slug: 'theirs' }, content: { version: 3 } });
});

test('HTML that the service took out is told of once, and stays in the form until it is shown as stored', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Tide<iframe>'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read()).toMatchObject({
    news: { kind: 'sanitised', paths: ['fields.title.text'] },
    values: { fields: { title: { text: 'Tide<iframe>' } } },
  });
  draft.dismissNews();
  draft.change(rename('Tides'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toBeUndefined();
  draft.showStored();
  expect(draft.read()).toMatchObject({ values: { fields: { title: { text: 'Tide' } } }, status: 'saved' });
});

test('HTML that the service took out is no change of another editor', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Tide<iframe>'));
  await draft.flush();
  draft.change(retitle('Tides<iframe>'));
  desk.write({ slug: 'theirs' });
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ slug: 'theirs', fields: { title: { text: 'Tides' } } });
});

test('a field that was deleted does not keep the rest from being saved', async () => {
  const desk = createDesk();
  desk.write({ fields: { title: { text: 'Tide' }, lead: { text: 'Old' } } });
  const draft = desk.open();
  draft.change((values) => ({ ...values, name: 'Tides', fields: { ...values.fields, lead: { text: 'New' } } }));
  desk.deleteField('lead');
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Tides', fields: { title: { text: 'Tide' } } });
  expect(draft.read().news).toEqual({ kind: 'left_out', paths: ['fields.lead'] });
});

test('values that changed within a version are shown where nothing was written', () => {
  const desk = createDesk();
  desk.write({ fields: { title: { text: 'Tide' }, lead: { text: 'Old' } } });
  const draft = desk.open();
  desk.deleteField('lead');
  draft.adopt(desk.stored());
  expect(draft.read()).toMatchObject({ status: 'saved', values: { fields: { title: { text: 'Tide' } } } });
  expect(draft.read().values.fields).not.toHaveProperty('lead');
});

test('where there is no room to keep it, that is known until it is saved', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.fillUp();
  draft.change(rename('Tides'));
  expect(draft.read().isKept).toBe(false);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().isKept).toBe(true);
});

test('a fault of the service is said, and tried again at growing distances', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ApiError(500, { message: 'Server error.' }));
  draft.change(rename('Tides'));
  await draft.flush();
  expect(draft.read()).toMatchObject({ status: 'failing', message: 'Server error.' });
  await vi.advanceTimersByTimeAsync(60_000);
  // After 4, 12 and 28 seconds; the next one is after 60.
  expect(desk.saves()).toBe(5);
  draft.change(rename('Tides and ebbs'));
  expect(draft.read().status).toBe('failing');
  desk.failWith(undefined);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().message).toBeUndefined();
});

test('to forget is to go back to what was saved, also out of a contest', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Mine'));
  desk.write({ fields: { title: { text: 'Theirs' } } });
  expect(await draft.flush()).toBe(false);
  draft.forget();
  expect(draft.read()).toMatchObject({
    status: 'saved',
    contest: undefined,
    values: { fields: { title: { text: 'Theirs' } } },
  });
  expect(desk.memory()).toEqual([]);
});
