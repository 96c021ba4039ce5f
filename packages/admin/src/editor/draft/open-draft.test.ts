// What is written is kept, saved, and never lost on the way.

import { expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { createDesk, rename, retitle, stopTime } from './draft-desk.fixture.ts';

stopTime();

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

test.each([
  [503, 'An import is running. Changes can be saved when it has ended.'],
  [503, 'Service unavailable. Nothing was saved.'],
  [507, "Nothing was saved, because the server's disk is full; reading still works."],
])('while the service answers %i, it says why, keeps the text, and saves it later: %s', async (status, message) => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ApiError(status, { message }));
  draft.change(rename('Tides'));
  expect(await draft.flush()).toBe(false);
  expect(draft.read()).toMatchObject({ status: 'failing', message, isKept: true, values: { name: 'Tides' } });
  expect(desk.memory()).toMatchObject([{ path: 'name', mine: 'Tides' }]);
  desk.failWith(undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(draft.read()).toMatchObject({ status: 'saved', message: undefined });
  expect(desk.stored().name).toBe('Tides');
});

test('what was not saved before a reload is put back', async () => {
  const desk = createDesk();
  desk.open().change(rename('Tides'));
  const draft = desk.open();
  expect(draft.read()).toMatchObject({ values: { name: 'Tides' }, status: 'changed', news: { kind: 'restored' } });
  expect(await draft.flush()).toBe(true);
  expect(desk.stored().name).toBe('Tides');
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

test('a part that is refused does not keep the others from being saved, and is tried again when it is changed', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change((values) => ({ ...rename('')(values), fields: { title: { text: 'Ebb' } } }));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.stored()).toMatchObject({ name: 'Tide', fields: { title: { text: 'Ebb' } } });
  expect(draft.read()).toMatchObject({ status: 'refused', unsaved: ['name'], faults: [{ path: 'name' }] });
  expect(desk.memory()).toMatchObject([{ path: 'name', mine: '' }]);
  const saves = desk.saves();
  draft.change(retitle('Flood'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.stored()).toMatchObject({ name: 'Tide', fields: { title: { text: 'Flood' } } });
  expect([desk.saves() - saves, draft.read().unsaved, draft.read().faults.length]).toEqual([1, ['name'], 1]);
  expect(await draft.flush()).toBe(false);
  draft.change(rename('Tides'));
  expect(draft.read().faults).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.stored().name).toBe('Tides');
  expect(draft.read()).toMatchObject({ status: 'saved', unsaved: [], faults: [] });
});

test('parts that are refused one after the other are all told', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change((values) => ({ ...values, name: '', slug: '', fields: { title: { text: 'Ebb' } } }));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.stored().fields).toEqual({ title: { text: 'Ebb' } });
  expect(draft.read()).toMatchObject({ unsaved: ['name', 'slug'], faults: [{ path: 'name' }, { path: 'slug' }] });
  expect(await draft.flush()).toBe(false);
  expect(draft.read().faults.toSorted((one, other) => one.path.localeCompare(other.path))).toMatchObject([
    { path: 'name' },
    { path: 'slug' },
  ]);
});

test('what is in the way of a publish is told until it is changed', () => {
  const draft = createDesk().open();
  draft.showFaults([
    { path: 'fields.title', message: 'is required and has no value' },
    { path: 'seo.canonical_url', message: 'is no address' },
  ]);
  draft.change(retitle('Ebb'));
  expect(draft.read().faults).toMatchObject([{ path: 'seo.canonical_url' }]);
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

test('HTML that the service took out is told of once, and stays in the form until it is shown as stored', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Tide<iframe>'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read()).toMatchObject({
    news: { kind: 'sanitised', texts: [{ path: 'fields.title.text', sent: 'Tide<iframe>', stored: 'Tide' }] },
    values: { fields: { title: { text: 'Tide<iframe>' } } },
  });
  draft.dismissNews();
  draft.change(rename('Tides'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toBeUndefined();
  draft.showStored();
  expect(draft.read()).toMatchObject({ values: { fields: { title: { text: 'Tide' } } }, status: 'saved' });
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

test('a slug that follows the name is left to the service, until another one is given', async () => {
  const desk = createDesk();
  desk.write({ slug: null });
  const draft = desk.open();
  expect(draft.read().values.slug).toBeNull();
  draft.change(rename('Ebb'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read()).toMatchObject({ values: { slug: null }, content: { slug: 'ebb' } });
  // The first publish ends it.
  draft.adopt({ ...desk.stored(), state: 'published', published_version: 3, slug_follows_name: false });
  expect(draft.read()).toMatchObject({ values: { slug: 'ebb' }, status: 'saved' });
  draft.change(rename('Flood'));
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Flood', slug: 'ebb' });
});

test('a slug that follows the name again is kept in the browser, too', () => {
  const desk = createDesk();
  const before = desk.open();
  before.change((values) => ({ ...values, slug: null }));
  expect(desk.memory()).toEqual([{ path: 'slug', mine: null, known: ['tide'] }]);
  before.close();
  expect(desk.open().read()).toMatchObject({ values: { slug: null }, status: 'changed' });
});
