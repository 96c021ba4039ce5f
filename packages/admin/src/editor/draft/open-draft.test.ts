// A draft keeps text in the browser, saves it, and never loses it in between.

import { expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { createDesk, rename, retitle, stopTime } from './draft-desk.fixture.ts';
import { listNotShown } from './save-text.ts';

stopTime();

test('stores a change in the browser immediately, and saves it to the service after a pause', async () => {
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

test('saves at regular intervals while somebody keeps typing', async () => {
  const desk = createDesk();
  const draft = desk.open();
  for (let second = 0; second < 25; second += 1) {
    draft.change(rename(`Tide ${second}`));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(desk.stored().version).toBe(2);
});

test('keeps the text while offline and saves it when the service responds again', async () => {
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
  [503, 'An import is running. You can save changes once it has finished.'],
  [503, 'Service unavailable. Nothing was saved.'],
  [507, "Nothing was saved, because the server's disk is full; reading still works."],
])('after a %i, shows the reason, keeps the text and saves it later: %s', async (status, message) => {
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

test('restores unsaved text after a reload', async () => {
  const desk = createDesk();
  desk.open().change(rename('Tides'));
  const draft = desk.open();
  expect(draft.read()).toMatchObject({ values: { name: 'Tides' }, status: 'changed', news: { kind: 'restored' } });
  expect(await draft.flush()).toBe(true);
  expect(desk.stored().name).toBe('Tides');
});

test('shows the errors from a refused save until they are corrected', async () => {
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

test('saves the other parts when one is refused, and retries that part when it changes', async () => {
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

test('shows the errors for all refused parts', async () => {
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

test('keeps showing the error that prevents publishing until the part with the error is changed', () => {
  const draft = createDesk().open();
  draft.showFaults([
    { path: 'fields.title', message: 'is required and has no value' },
    { path: 'seo.canonical_url', message: 'is not a URL' },
  ]);
  draft.change(retitle('Ebb'));
  expect(draft.read().faults).toMatchObject([{ path: 'seo.canonical_url' }]);
});

test('keeps and saves text that is written during publishing', async () => {
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

test('after a slow save, saves text that was written during that save', async () => {
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

test('when the editor leaves during a save, saves the last changes and then closes the draft', async () => {
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

test('saves when the service responds again, even if the editor left while offline', async () => {
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

test('sends nothing after the session has ended, and keeps the text', async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  draft.close();
  expect(await draft.flush()).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(desk.saves()).toBe(0);
  expect(desk.memory()).toMatchObject([{ mine: 'Tides' }]);
});

test('reports removed HTML once, and keeps it in the form until the stored text is shown', async () => {
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
  expect(listNotShown(draft.read())).toEqual([]);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toBeUndefined();
  const removed = { path: 'fields.title.text', sent: 'Tide<iframe>', stored: 'Tide' };
  expect(listNotShown(draft.read())).toEqual([removed]);
  draft.adopt({ ...desk.stored(), sanitised: [] });
  expect(listNotShown(draft.read())).toEqual([removed]);
  draft.change((values) => ({ ...values, slug: '' }));
  expect(await draft.flush()).toBe(false);
  expect(draft.read()).toMatchObject({ status: 'refused', unsaved: ['slug'] });
  expect(listNotShown(draft.read())).toEqual([removed]);
  draft.change((values) => ({ ...values, slug: 'tides' }));
  expect(await draft.flush()).toBe(true);
  draft.showStored();
  expect(listNotShown(draft.read())).toEqual([]);
  expect(draft.read()).toMatchObject({ values: { fields: { title: { text: 'Tide' } } }, status: 'saved' });
});

test('reports the HTML that the latest save removed, until the editor dismisses the report', async () => {
  const desk = createDesk();
  const draft = desk.open();
  for (const sent of ['Tide<iframe>', 'Tides<iframe>']) {
    draft.change(retitle(sent));
    expect(await draft.flush()).toBe(true);
    expect(draft.read().news).toMatchObject({ kind: 'sanitised', texts: [{ sent }] });
  }
  draft.dismissNews();
  draft.change(retitle('High tides<iframe>'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toBeUndefined();
});

test('saves the other fields if a field was deleted', async () => {
  const desk = createDesk();
  desk.write({ fields: { title: { text: 'Tide' }, lead: { text: 'Old' } } });
  const draft = desk.open();
  draft.change((values) => ({ ...values, name: 'Tides', fields: { ...values.fields, lead: { text: 'New' } } }));
  desk.deleteField('lead');
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Tides', fields: { title: { text: 'Tide' } } });
  expect(draft.read().news).toEqual({ kind: 'left_out', paths: ['fields.lead'] });
});

test('warns that the browser has no room for the text, until the text is saved', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.fillUp();
  draft.change(rename('Tides'));
  expect(draft.read().isKept).toBe(false);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().isKept).toBe(true);
});

test('shows a service error and retries at increasing intervals', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(new ApiError(500, { message: 'Server error.' }));
  draft.change(rename('Tides'));
  await draft.flush();
  expect(draft.read()).toMatchObject({ status: 'failing', message: 'Server error.' });
  await vi.advanceTimersByTimeAsync(60_000);
  // Retries came after 4, 12 and 28 seconds; the next comes after 60.
  expect(desk.saves()).toBe(5);
  draft.change(rename('Tides and ebbs'));
  expect(draft.read().status).toBe('failing');
  desk.failWith(undefined);
  expect(await draft.flush()).toBe(true);
  expect(draft.read().message).toBeUndefined();
});

test('lets the service derive the slug from the name until somebody enters a slug', async () => {
  const desk = createDesk();
  desk.write({ slug: null });
  const draft = desk.open();
  expect(draft.read().values.slug).toBeNull();
  draft.change(rename('Ebb'));
  expect(await draft.flush()).toBe(true);
  expect(draft.read()).toMatchObject({ values: { slug: null }, content: { slug: 'ebb' } });
  // After the first publish, the slug no longer follows the name.
  draft.adopt({ ...desk.stored(), state: 'published', published_version: 3, slug_follows_name: false });
  expect(draft.read()).toMatchObject({ values: { slug: 'ebb' }, status: 'saved' });
  draft.change(rename('Flood'));
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Flood', slug: 'ebb' });
});

test('remembers in the browser that the slug follows the name again', () => {
  const desk = createDesk();
  const before = desk.open();
  before.change((values) => ({ ...values, slug: null }));
  expect(desk.memory()).toEqual([{ path: 'slug', mine: null, known: ['tide'] }]);
  before.close();
  expect(desk.open().read()).toMatchObject({ values: { slug: null }, status: 'changed' });
});

test('also publishes text that is written before saving is complete', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Tides'));
  const publishing = draft.publish();
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.published()).toBeUndefined();
  draft.change(rename('Tides and ebbs'));
  slow.resolve();
  expect(await publishing).toMatchObject({ name: 'Tides and ebbs', published_version: 3 });
  expect([desk.published(), draft.read().content.state]).toEqual([3, 'published']);
});

test.each([
  ['offline', new ConnectionError('down')],
  ['failing', new ApiError(503, { message: 'Not now.' })],
  ['refused', new ApiError(422, { message: 'No.', errors: [{ path: 'slug', message: 'is taken' }] })],
])('publishes nothing while the draft is %s', async (status, error) => {
  const desk = createDesk();
  const draft = desk.open();
  desk.failWith(error);
  draft.change(rename('Tides'));
  expect(await draft.publish()).toBeUndefined();
  expect([draft.read().status, desk.published()]).toEqual([status, undefined]);
});

test('tells listeners only about changes that the editor can see', () => {
  const draft = createDesk().open();
  let count = 0;
  draft.watch(() => {
    count += 1;
  });
  draft.stay();
  // If listeners were told after a sign-out, the page would render again and request content without a session.
  draft.close();
  expect(count).toBe(0);
});
