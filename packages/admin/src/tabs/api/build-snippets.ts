// Code that requests one content object, for a terminal and for a front end. It contains a placeholder instead of an API key.

import type { Delivery } from '../../api/delivery.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';

export interface SnippetOptions {
  readonly delivery: Delivery;
  readonly site: string;
  readonly id: string;
  readonly isPreview: boolean;
}

export type SnippetName = keyof typeof TAB_TEXTS.snippets;

export function buildSnippet(name: SnippetName, options: SnippetOptions): string {
  switch (name) {
    case 'curl':
      return buildCurl(options);
    case 'fetch':
      return buildFetch(options);
    case 'client':
      return buildClientCode(options);
  }
}

function listHeaders({ delivery: { headerPrefix }, site, isPreview }: SnippetOptions): readonly [string, string][] {
  return [
    ['Authorization', `Bearer ${TAB_TEXTS.keyPlaceholder}`],
    [`${headerPrefix}-SITE`, site],
    ...(isPreview ? [[`${headerPrefix}-PREVIEW`, 'true'] satisfies [string, string]] : []),
  ];
}

function buildCurl(options: SnippetOptions): string {
  const headers = listHeaders(options).map(([name, value]) => `  -H '${name}: ${value}'`);
  return [`curl '${options.delivery.apiUrl}/content/${options.id}'`, ...headers].join(' \\\n');
}

function buildFetch(options: SnippetOptions): string {
  return [
    `const response = await fetch('${options.delivery.apiUrl}/content/${options.id}', {`,
    '  headers: {',
    ...listHeaders(options).map(([name, value]) => `    '${name}': '${value}',`),
    '  },',
    '});',
    'const content = await response.json();',
  ].join('\n');
}

function buildClientCode({ delivery: { apiUrl, headerPrefix }, site, id, isPreview }: SnippetOptions): string {
  return [
    "import { createClient } from '@galley/client';",
    '',
    'const client = createClient({',
    `  apiURL: '${apiUrl}',`,
    `  apiKey: '${TAB_TEXTS.keyPlaceholder}',`,
    `  siteId: '${site}',`,
    ...(headerPrefix === 'X-SERVICE' ? [] : [`  headerPrefix: '${headerPrefix}',`]),
    ...(isPreview ? ['  isPreview: true,'] : []),
    '});',
    `const content = await client.getContentById('${id}');`,
  ].join('\n');
}
