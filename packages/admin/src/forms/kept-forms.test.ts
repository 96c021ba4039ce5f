import { expect, test } from 'vitest';
import { bringFormsBack, dropKeptForm, keepOpenForms, readKeptForm, registerOpenForm } from './kept-forms.ts';

const EMPTY = { name: '', url: '' };
const WRITTEN = { name: 'Marsh', url: '' };

test('a form is given back once, to the person who wrote it', () => {
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

test('nobody else gets it', () => {
  const close = registerOpenForm(() => ({ place: '/sites/a', values: WRITTEN }));
  keepOpenForms('p_ada');
  close();
  bringFormsBack('p_bob');
  expect(readKeptForm('/sites/a', EMPTY)).toBeUndefined();
});

test('a password is not kept', () => {
  const close = registerOpenForm(() => ({ place: '/users/new', values: { name: 'Bob', password: 'secret' } }));
  keepOpenForms('p_ada');
  close();
  bringFormsBack('p_ada');
  expect(readKeptForm('/users/new', { name: '', password: '' })).toBeUndefined();
});
