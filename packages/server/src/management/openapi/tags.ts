// The groups of the explorer, in the order in which somebody meets them who builds a site.

import type { Route } from '../route.ts';
import type { Tag } from './management-document.ts';

const TAGS: readonly Tag[] = [
  { name: 'Set-up', description: 'The first owner of a new installation.' },
  { name: 'Session', description: 'Signing in and out.' },
  { name: 'Sites', description: 'Sites and their languages.' },
  { name: 'Content types', description: 'What kinds of content a site has, and their fields.' },
  { name: 'Content', description: 'Writing, publishing and scheduling.' },
  { name: 'Versions', description: 'Every save: looked at, compared, restored.' },
  { name: 'Authors', description: 'The by-lines of content.' },
  { name: 'Assets', description: 'Images and other files.' },
  { name: 'API keys', description: 'Keys of the content API.' },
  { name: 'Account', description: 'What everything belongs to.' },
  { name: 'Users', description: 'Who may sign in, and as what.' },
  { name: 'Tokens', description: 'Tokens of this API, for automation.' },
  { name: 'Audit log', description: 'Who did what, when, and from where.' },
];

/** Those that the routes have; a group that is not known yet comes last. */
export function listTags(routes: readonly Route[]): readonly Tag[] {
  const used = new Set(routes.map(({ tag }) => tag));
  const known = new Set(TAGS.map(({ name }) => name));
  const others = [...used].filter((name) => !known.has(name));
  return [...TAGS.filter(({ name }) => used.has(name)), ...others.map((name) => ({ name }))];
}
