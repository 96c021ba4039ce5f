// A draft and what was saved elsewhere meanwhile: by another editor, in another tab, or by oneself without knowing.

import { expect, test } from 'vitest';
import { CONTENT, createDesk, rename, retitle, stopTime } from './draft-desk.fixture.ts';

stopTime();

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

test('a newer version from elsewhere is shown where nothing was written, and an older one is not', () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.adopt(desk.write({ name: 'Restored' }));
  expect(draft.read()).toMatchObject({ values: { name: 'Restored' }, status: 'saved' });
  draft.adopt(CONTENT);
  expect(draft.read().values.name).toBe('Restored');
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

test('values that changed within a version are shown where nothing was written', () => {
  const desk = createDesk();
  desk.write({ fields: { title: { text: 'Tide' }, lead: { text: 'Old' } } });
  const draft = desk.open();
  desk.deleteField('lead');
  draft.adopt(desk.stored());
  expect(draft.read()).toMatchObject({ status: 'saved', values: { fields: { title: { text: 'Tide' } } } });
  expect(draft.read().values.fields).not.toHaveProperty('lead');
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
