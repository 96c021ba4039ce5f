import { describe, expect, test } from 'vitest';
import { parseSeo } from './seo.ts';

const NOTHING = {
  title: null,
  description: null,
  robots: null,
  canonical_url: null,
  open_graph: {
    title: null,
    description: null,
    image_secure_url: null,
    image_width: null,
    image_height: null,
    image_alt: null,
    url: null,
  },
};

describe('search engine data', () => {
  test.each([undefined, null, {}, { title: null, open_graph: null }, { title: '', open_graph: { url: '' } }])(
    'has all properties unset for %j',
    (raw) => {
      expect(parseSeo(raw)).toEqual({ ok: true, value: NOTHING });
    },
  );

  test('keeps the given values, in the same order as in the API', () => {
    const parsed = parseSeo({
      open_graph: { url: 'https://example.com', image_width: 1200, image_height: 0, title: 'OG' },
      robots: 'noindex',
      title: 'Title',
    });
    expect(JSON.stringify(parsed.ok && parsed.value)).toBe(
      '{"title":"Title","description":null,"robots":"noindex","canonical_url":null,"open_graph":{"title":"OG",' +
        '"description":null,"image_secure_url":null,"image_width":1200,"image_height":0,"image_alt":null,' +
        '"url":"https://example.com"}}',
    );
  });

  test('is frozen', () => {
    const parsed = parseSeo({});
    expect(parsed.ok && Object.isFrozen(parsed.value) && Object.isFrozen(parsed.value.open_graph)).toBe(true);
  });

  test('reports all faults at once', () => {
    const raw = {
      title: 3,
      keywords: 'a',
      open_graph: { image_width: -1, image_height: '5', type: 'website', url: [] },
    };
    expect(parseSeo(raw)).toEqual({
      ok: false,
      problem: [
        { path: 'seo.title', message: 'must be well-formed Unicode text without NUL characters, got 3' },
        {
          path: 'seo.open_graph.image_width',
          message: 'must be a whole number of at least 0, got -1',
          code: 'too_small',
          values: { min: 0 },
        },
        { path: 'seo.open_graph.image_height', message: 'must be a whole number of at least 0, got "5"' },
        {
          path: 'seo.open_graph.url',
          message: 'must be well-formed Unicode text without NUL characters, got an array',
        },
        {
          path: 'seo.open_graph.type',
          message:
            'is unknown; open_graph has title, description, image_secure_url, image_width, image_height, image_alt, url',
          code: 'unknown',
        },
        {
          path: 'seo.keywords',
          message: 'is unknown; seo has title, description, robots, canonical_url, open_graph',
          code: 'unknown',
        },
      ],
    });
  });

  test.each(['text', [], 1, true])('cannot be %j', (raw) => {
    expect(parseSeo(raw)).toMatchObject({ ok: false, problem: [{ path: 'seo' }] });
  });

  test.each(['a\0', 'a\ud800'])('cannot contain %j', (title) => {
    expect(parseSeo({ title })).toMatchObject({ ok: false, problem: [{ path: 'seo.title' }] });
  });
});
