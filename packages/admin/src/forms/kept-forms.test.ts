import { expect, test } from 'vitest';
import { bringFormsBack, dropKeptForm, keepOpenForms, readKeptForm, registerOpenForm } from './kept-forms.ts';

const EMPTY = { name: '', url: '' };
const WRITTEN = { name: 'Marsh', url: '' };

test("restores a form's values once, for the person who entered them", () => {
  registerOpenForm(() => ({ place: '/sites/new', values: WRITTEN }))();
  const close = registerOpenForm(() => ({ place: '/sites/a', values: WRITTEN }));
  keepOpenForms('p_ada');
  close();
  expect(readKeptForm('/sites/a', EMPTY)).toBeUndefined();
  bringFormsBack('p_ada');
  expect(readKeptForm('/sites/new', EMPTY)).toBeUndefined();
  expect(readKeptForm('/sites/a', EMPTY)).toEqual(WRITTEN);
  dropKeptForm('/sites/a');
  expect(readKeptForm('/sites/a', EMPTY)).toBeUndefined();
});

test('does not restore the values for anybody else', () => {
  const close = registerOpenForm(() => ({ place: '/sites/a', values: WRITTEN }));
  keepOpenForms('p_ada');
  close();
  bringFormsBack('p_bob');
  expect(readKeptForm('/sites/a', EMPTY)).toBeUndefined();
});

test('does not keep a password', () => {
  const close = registerOpenForm(() => ({ place: '/users/new', values: { name: 'Bob', password: 'secret' } }));
  keepOpenForms('p_ada');
  close();
  bringFormsBack('p_ada');
  expect(readKeptForm('/users/new', { name: '', password: '' })).toBeUndefined();
});
