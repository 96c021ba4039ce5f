// How a draft handles versions that come from another editor, from another tab, or from one of its own saves whose response was lost.

import { expect, test } from 'vitest';
import { CONTENT, createDesk, rename, retitle, stopTime } from './draft-desk.fixture.ts';

stopTime();

test("merges another editor's changes to other parts", async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(rename('Tides'));
  desk.write({ fields: { title: { text: 'Ebb' } } });
  expect(await draft.flush()).toBe(true);
  expect(draft.read().news).toEqual({ kind: 'merged', by: 'Edgar' });
  expect(desk.stored()).toMatchObject({ name: 'Tides', fields: { title: { text: 'Ebb' } }, version: 3 });
});

test('asks about parts that both editors changed, and saves the choice', async () => {
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

test('reports a conflict between restored text and a newer version', () => {
  const desk = createDesk();
  desk.open().change(retitle('Mine'));
  desk.write({ fields: { title: { text: 'Theirs' } } });
  expect(desk.open().read()).toMatchObject({ status: 'contested', values: { fields: { title: { text: 'Mine' } } } });
});

test('shows a newer version if there are no unsaved changes, and ignores an older one', () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.adopt(desk.write({ name: 'Restored' }));
  expect(draft.read()).toMatchObject({ values: { name: 'Restored' }, status: 'saved' });
  draft.adopt(CONTENT);
  expect(draft.read().values.name).toBe('Restored');
});

test('still reports the conflict after further edits and a reload', async () => {
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

test('compares its text with the latest version, and ends the conflict when both are the same', async () => {
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

test('reports no conflict with its own save after a lost response', async () => {
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

test('reports no conflict with its own save after a reload during that save', async () => {
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

test('recognises its own version if that version is read before the save gets a response', async () => {
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

test('merges a version that somebody else saved during a save', async () => {
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

test("does not mistake removed HTML for another editor's change", async () => {
  const desk = createDesk();
  const draft = desk.open();
  draft.change(retitle('Tide<iframe>'));
  await draft.flush();
  draft.change(retitle('Tides<iframe>'));
  desk.write({ slug: 'theirs' });
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ slug: 'theirs', fields: { title: { text: 'Tides' } } });
});

test('stops showing the value of a deleted field, even without a new version, if there are no unsaved changes', () => {
  const desk = createDesk();
  desk.write({ fields: { title: { text: 'Tide' }, lead: { text: 'Old' } } });
  const draft = desk.open();
  desk.deleteField('lead');
  draft.adopt(desk.stored());
  expect(draft.read()).toMatchObject({ status: 'saved', values: { fields: { title: { text: 'Tide' } } } });
  expect(draft.read().values.fields).not.toHaveProperty('lead');
});

test('goes back to the saved version, even during a conflict', async () => {
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

test('does not report text as saved if it was changed back after a lost response', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.answerThat('is lost');
  draft.change(rename('Ta'));
  expect(await draft.flush()).toBe(false);
  draft.change(rename('Tide'));
  desk.answerThat('arrives');
  expect(desk.stored().name).toBe('Ta');
  expect(await draft.flush()).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Tide', version: 3 });
});

test('restores text that was changed back during a save', async () => {
  const desk = createDesk();
  const draft = desk.open();
  desk.delayBy(new Promise(() => undefined));
  draft.change(rename('Ta'));
  void draft.flush();
  draft.change(rename('Tide'));
  desk.delayBy(Promise.resolve());
  const again = desk.open();
  expect(again.read()).toMatchObject({ status: 'changed', values: { name: 'Tide' } });
});

test('goes back to the saved version during a save, then saves that version', async () => {
  const desk = createDesk();
  const draft = desk.open();
  const slow = Promise.withResolvers<void>();
  desk.delayBy(slow.promise);
  draft.change(rename('Ta'));
  const saving = draft.flush();
  draft.forget();
  expect(draft.read()).toMatchObject({ status: 'saving', values: { name: 'Tide' } });
  slow.resolve();
  expect(await saving).toBe(true);
  expect(desk.stored()).toMatchObject({ name: 'Tide', version: 3 });
});
