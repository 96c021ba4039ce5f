import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyArticle, writeBundle } from './content.ts';

interface Article {
  readonly kind: string;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, { readonly text?: string; readonly number?: number }>>;
}

function readBundle(count: number): { readonly text: string; readonly articles: readonly Article[] } {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const path = join(folder, 'bundle.ndjson');
    writeBundle(path, count);
    const text = readFileSync(path, 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => parseArticle(line));
    return { text, articles: records.filter((record) => record.kind === 'content') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The benchmark wrote the line itself, so it needs no validation. */
function parseArticle(line: string): Article {
  return JSON.parse(line) as Article;
}

test('generates the same bundle in every run', () => {
  expect(readBundle(50).text).toBe(readBundle(50).text);
});

test('generates the requested number of articles, with unique slugs and ascending IDs', () => {
  const { articles } = readBundle(2500);
  const ids = articles.map((article) => article.id);
  expect(ids).toHaveLength(2500);
  expect(new Set(articles.map((article) => article.slug)).size).toBe(2500);
  expect(ids).toEqual(Array.from({ length: 2500 }, (_, index) => identifyArticle(index).id));
  expect(ids.toSorted()).toEqual(ids);
});

test('generates text of a fixed length, and omits some values', () => {
  const { articles } = readBundle(100);
  for (const { name, fields } of articles) {
    expect([name.length, fields.summary?.text?.length, fields.body?.text?.length]).toEqual([40, 240, 440]);
  }
  expect(articles.filter(({ fields }) => fields.priority === undefined)).toHaveLength(10);
});
