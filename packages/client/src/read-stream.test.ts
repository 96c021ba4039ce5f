import { describe, expect, test } from 'vitest';
import { createEventParser } from './read-stream.ts';

const TEXT =
  'retry: 1000\n\nevent: page\nid: k3\ndata: {"a":1}\n\n:\n\n: a comment\n\nevent:open\r\ndata:{}\r\n\r\nevent: gone\n\n' +
  'event: two\ndata: one\ndata: two\n\ndata: without a name\n\nevent: page\ndata: é:😀\n\nevent: cut\ndata: off\n';
const EVENTS = [
  { event: 'page', data: '{"a":1}' },
  { event: 'open', data: '{}' },
  { event: 'gone', data: '' },
  { event: 'two', data: 'one\ntwo' },
  { event: 'page', data: 'é:😀' },
];

describe('the events of a stream', () => {
  test('are parsed from the text, ignoring comments and any event that is cut off', () => {
    expect(createEventParser()(TEXT)).toEqual(EVENTS);
  });

  test('do not depend on how the text is split', () => {
    for (let size = 1; size <= 20; size += 1) {
      const parse = createEventParser();
      const parts = TEXT.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      expect(parts.flatMap((part) => parse(part))).toEqual(EVENTS);
    }
  });
});
