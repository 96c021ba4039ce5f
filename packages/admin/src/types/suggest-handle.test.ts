import { describe, expect, test } from 'vitest';
import { followName, suggestHandle } from './suggest-handle.ts';

describe('suggestHandle', () => {
  test.each([
    ['Reading time', 'reading_time'],
    ['  Editor’s note ', 'editors_note'],
    ['Größe (in cm)', 'grosse_in_cm'],
    ['Café №1', 'cafe_no1'],
    ['2nd picture', 'nd_picture'],
    ['日本語', ''],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    [`${'a'.repeat(70)}`, 'a'.repeat(64)],
  ])('suggests a handle for %j', (name, handle) => {
    expect(suggestHandle(name)).toBe(handle);
  });
});

test('lets the handle follow the name until somebody types a different handle', () => {
  expect(followName({ name: '', handle: '' }, 'T')).toBe('t');
  expect(followName({ name: 'Title', handle: 'title' }, 'Title in print')).toBe('title_in_print');
  expect(followName({ name: 'Title', handle: 'headline' }, 'Title in print')).toBe('headline');
});
