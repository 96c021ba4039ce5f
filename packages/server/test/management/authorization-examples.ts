// Example calls that succeed for authorized callers, keyed by `METHOD path`. Calls that are not listed need no query or body.

import { PASSWORD } from './authorization-site.ts';

export interface AuthorizationExample {
  /** Ids to use instead of the usual ones. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Sent as JSON, unless it is a form or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The tus headers that begin an upload. */
export const BEGINNING = { 'tus-resumable': '1.0.0', 'upload-length': '4' } as const;
const TUS = { 'tus-resumable': '1.0.0' } as const;
const PART = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' } as const;

function buildForm(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['text']), 'text.txt');
  return form;
}

export const AUTHORIZATION_EXAMPLES: Readonly<Record<string, AuthorizationExample>> = {
  'POST /setup': { body: { token: 'gs_guess', email: 'first@small.example', name: 'First', password: PASSWORD } },
  'POST /session': { body: { email: 'owner@small.example', password: PASSWORD } },
  'PUT /session/password': { body: { current_password: PASSWORD, new_password: `${PASSWORD} again` } },
  'PATCH /account': { body: { name: 'Renamed' } },
  'POST /users': {
    body: { email: 'new@small.example', name: 'New', role: 'editor', password: 'staple battery horse correct' },
  },
  'PATCH /users/{user}': { body: { name: 'Renamed' } },
  'DELETE /users/{user}': { query: 'confirm=m_second' },
  'POST /tokens': { body: { name: 'Another', role: 'editor' } },
  'POST /keys': { body: { name: 'Another', all_sites: true } },
  'POST /sites': { body: { name: 'Another', default_language: 'en' } },
  'DELETE /sites/{site}': { query: 'confirm=s_small' },
  'POST /sites/{site}/languages': { body: { language: 'de' } },
  'PUT /sites/{site}/default-language': { body: { language: 'en' } },
  'POST /sites/{site}/authors': { body: { name: 'Grace' } },
  'POST /sites/{site}/assets': { body: { name: 'Map', url: 'https://small.example/map.png' } },
  'POST /sites/{site}/assets/batch': { body: { ids: ['a_photo'], folder: 'press' } },
  'POST /sites/{site}/asset-folders': { body: { path: 'press' } },
  'PATCH /sites/{site}/asset-folders': { body: { path: 'kept', new_path: 'moved' } },
  'DELETE /sites/{site}/asset-folders': { query: 'path=kept' },
  'PATCH /sites/{site}/asset-settings': { body: { keeps_location: true } },
  'PUT /sites/{site}/image-presets/{name}': { body: { parameters: 'w=300' } },
  'PUT /sites/{site}/assets/{asset}/file': { body: buildForm() },
  'POST /sites/{site}/assets/{asset}/restore': { body: { version: '0123456789abcdef' } },
  'POST /sites/{site}/assets/{asset}/copy': { ids: { asset: 'a_local' } },
  'POST /sites/{site}/content': { body: { content_type: 'post', name: 'New' } },
  'PUT /sites/{site}/content/{content}': { body: { version: 2, name: 'Changed' } },
  'POST /sites/{site}/content/{content}/validate': { body: {} },
  'POST /sites/{site}/content/{content}/duplicate': { body: {} },
  'POST /sites/{site}/content/{content}/translations': { body: { language: 'fr', name: 'Nouveau' } },
  'POST /sites/{site}/content/{content}/publish': { body: { version: 2 } },
  'POST /sites/{site}/content/{content}/schedule': { body: { publish_at: '2099-01-01T00:00:00+00:00' } },
  'POST /sites/{site}/content/{content}/cancel-schedule': { ids: { content: 'c_scheduled' } },
  'POST /sites/{site}/content/{content}/restore': { ids: { content: 'c_archived' } },
  'DELETE /sites/{site}/content/{content}': { ids: { content: 'c_archived' }, query: 'confirm=c_archived' },
  'POST /sites/{site}/content/{content}/versions/{number}/restore': { body: { version: 2 } },
  'PUT /sites/{site}/preview': { body: { addresses: [{ name: 'Staging', address: 'https://staging.small.example' }] } },
  'POST /sites/{site}/content/{content}/share-links': { body: {} },
  'POST /sites/{site}/types': { body: { handle: 'note', name: 'Note', object_type: 'entry' } },
  'DELETE /sites/{site}/types/{type}': { ids: { type: 't_unused' } },
  'PUT /sites/{site}/types/{type}/field-order': { body: { fields: ['rank', 'title', 'related'] } },
  'POST /sites/{site}/types/{type}/fields': { body: { type: 'text', handle: 'more', name: 'More' } },
  'DELETE /sites/{site}/types/{type}/fields/{field}': { query: 'confirm=title' },
  'POST /sites/{site}/webhooks': { body: { name: 'Build', url: 'https://small.example/hook' } },
  'PATCH /sites/{site}/webhooks/{webhook}': { body: { name: 'Renamed' } },
  'POST /sites/{site}/uploads': { headers: BEGINNING },
  'HEAD /sites/{site}/uploads/{upload}': { headers: TUS },
  'PATCH /sites/{site}/uploads/{upload}': { headers: PART, body: Buffer.from('text') },
  'DELETE /sites/{site}/uploads/{upload}': { headers: TUS },
};
