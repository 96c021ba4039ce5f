import type { AuditEntryBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { buildSentence } from './build-sentence.ts';

const ENTRY: AuditEntryBody = {
  number: 1,
  at: '2026-01-01T00:00:00+00:00',
  action: 'user.change_role',
  actor: { kind: 'user', id: 'u_1', name: 'Olive', address: null },
  site: null,
  subject: { id: 'u_2', name: 'Edgar {actor}' },
  details: { before: 'editor', after: 'owner' },
};

function readAloud(entry: Partial<AuditEntryBody>): string {
  return buildSentence({ ...ENTRY, ...entry })
    .map(({ text }) => text)
    .join('');
}

test.each<[Partial<AuditEntryBody>, string]>([
  [{}, 'Olive changed the role of Edgar {actor} to owner'],
  [{ action: 'user.sign_in' }, 'Olive signed in'],
  [
    { action: 'user.sign_in_failed', details: { reason: 'wrong password', count: 7 } },
    'Sign-in as Edgar {actor} failed: wrong password (7 times)',
  ],
  [
    {
      action: 'user.sign_in_unknown',
      actor: { ...ENTRY.actor, kind: 'guest', name: 'Somebody' },
      details: { emails: 1 },
    },
    'Somebody tried to sign in with an unknown email address',
  ],
  [{ action: 'content.publish', actor: { ...ENTRY.actor, kind: 'token' } }, 'Olive (token) published Edgar {actor}'],
  [
    { action: 'schedule.fail', details: { action: 'publish', reason: 'fields.title is required and has no value' } },
    'The schedule for Edgar {actor} failed',
  ],
  [
    { action: 'site.set_default_language', details: { language: 'de', before: 'en' } },
    'Olive made German the default language of Edgar {actor}',
  ],
  [{ action: 'content.restore_version', details: { from: 3 } }, 'Olive restored version 3 of Edgar {actor}'],
  [{ action: 'moon.land', subject: { id: null, name: null } }, 'Olive performed moon.land: (unnamed)'],
])('writes %j as a sentence', (entry, sentence) => {
  expect(readAloud(entry)).toBe(sentence);
});
