// Random management calls of every kind on the site in public-answers.ts. Some are rejected.

import type { ManagedContentBody, ManagedTypeBody } from '@galley/wire';
import { expect } from 'vitest';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { formatTimestamp } from '../../src/content/timestamp.ts';
import { chance, type Draw, drawNumber, pick, shuffle } from '../oracle/draw.ts';
import type { Manager } from './manager.ts';
import { CONTENT_IDS, FIELDS, SITE } from './public-answers.ts';

const HOUR_MS = 3_600_000;

export interface Step {
  readonly name: string;
  /** Whether the generation may change even though every public response stays the same. */
  readonly isCautious?: boolean;
  readonly take: () => Promise<unknown>;
}

/** A clock that advances only when it is read or moved by hand. */
export class StepClock {
  time = Date.parse('2026-01-01T00:00:00Z');

  readonly now = (): number => {
    this.time += 1000;
    return this.time;
  };
}

export interface RandomSteps {
  /** The number of calls that were rejected. */
  readonly refused: () => number;
  /** Picks content changes more often than other steps, because editors make them most often. */
  readonly draw: (draw: Draw) => Promise<Step>;
}

const here = `/sites/${SITE}`;
const WORDS = ['One', 'Red', 'Green', 'Blue'] as const;
const AUTHORS = ['u_shown', 'u_draft', 'u_free'] as const;
const ASSETS = ['a_shown', 'a_draft', 'a_free'] as const;
const LANGUAGES = ['en', 'de', 'fr', 'it'] as const;
const TYPES = ['article', 'plain', 'quote', 'unused'] as const;

export function createRandomSteps(manager: Manager, clock: StepClock): RandomSteps {
  const { now } = clock;
  let refused = 0;

  async function call(method: string, path: string, body?: unknown): Promise<number> {
    const { status } = await manager.call(method, path, body === undefined ? {} : { body });
    if (status >= 300) refused += 1;
    expect(status).toBeLessThan(500);
    return status;
  }

  async function findContent(id: string): Promise<ManagedContentBody | undefined> {
    const { status, body } = await manager.call('GET', `${here}/content/${id}`);
    return status === 200 ? (body as ManagedContentBody) : undefined;
  }

  function drawFields(draw: Draw): object {
    const fields = {
      title: { text: pick(draw, WORDS) },
      rank: { number: drawNumber(draw, 0, 3) },
      is_pinned: { is_on: chance(draw, 50) },
      mood: { selected_option: pick(draw, ['calm', 'loud', 'odd']) },
      related: { content_links: [pick(draw, CONTENT_IDS)] },
      photos: { assets: [pick(draw, ASSETS)] },
      body: { blocks: [{ name: 'Quote', content_type: 'quote', fields: { words: { text: pick(draw, WORDS) } } }] },
      secret: { text: pick(draw, WORDS) },
      more: { text: pick(draw, WORDS) },
    };
    return Object.fromEntries(shuffle(draw, Object.entries(fields)).slice(0, drawNumber(draw, 1, 4)));
  }

  /** Hidden fields, for example `article.secret`. */
  async function listHidden(): Promise<ReadonlySet<string>> {
    const { data } = await manager.expectOk<{ data: readonly ManagedTypeBody[] }>('GET', `${here}/types`);
    const fields = data.flatMap(({ handle, fields }) => fields.map((field) => ({ ...field, type: handle })));
    return new Set(fields.filter(({ hidden }) => hidden).map(({ type, handle }) => `${type}.${handle}`));
  }

  function drawStep(draw: Draw, hidden: ReadonlySet<string>): Step {
    const id = pick(draw, CONTENT_IDS);
    const path = `${here}/content/${id}`;
    const type = pick(draw, TYPES);
    const field = pick(draw, ['title', 'rank', 'is_pinned', 'mood', 'more', 'words', 'secret'] as const);
    const inType = `${here}/types/${type}`;
    const word = pick(draw, WORDS);
    const content: readonly Step[] = [
      {
        name: `create ${id}`,
        take: () =>
          call('POST', `${here}/content`, {
            id,
            content_type: pick(draw, ['article', 'plain']),
            name: word,
            fields: {},
          }),
      },
      ...Array.from({ length: 4 }, () => ({
        name: `save ${id}`,
        take: async () => {
          const found = await findContent(id);
          const author = pick(draw, [...AUTHORS, null]);
          return call('PUT', path, { version: found?.version ?? 1, name: word, author, fields: drawFields(draw) });
        },
      })),
      ...Array.from({ length: 4 }, () => ({
        name: `publish ${id}`,
        take: async () => {
          const published_at = chance(draw, 50) ? { published_at: '2024-01-01T12:00:00+00:00' } : {};
          const version = (await findContent(id))?.version ?? 1;
          return call('POST', `${path}/publish`, { version, ...published_at });
        },
      })),
      { name: `unpublish ${id}`, take: () => call('POST', `${path}/unpublish`, { confirm: true }) },
      { name: `archive ${id}`, take: () => call('POST', `${path}/archive`, { confirm: true }) },
      { name: `restore ${id}`, take: () => call('POST', `${path}/restore`, {}) },
      { name: `delete ${id}`, take: () => call('DELETE', `${path}?confirm=${id}`) },
      { name: `duplicate ${id}`, take: () => call('POST', `${path}/duplicate`, { id: pick(draw, CONTENT_IDS) }) },
      {
        name: `translate ${id}`,
        take: () =>
          call('POST', `${path}/translations`, {
            id: pick(draw, CONTENT_IDS),
            language: pick(draw, LANGUAGES),
            name: word,
          }),
      },
      {
        name: `restore a version of ${id}`,
        take: async () =>
          call('POST', `${path}/versions/1/restore`, { version: (await findContent(id))?.version ?? 1 }),
      },
      {
        name: `schedule ${id}`,
        take: () => {
          const member = pick(draw, ['publish_at', 'unpublish_at']);
          return call('POST', `${path}/schedule`, {
            [member]: formatTimestamp(clock.time + drawNumber(draw, 1, 9) * HOUR_MS),
          });
        },
      },
      { name: `cancel the schedule of ${id}`, take: () => call('POST', `${path}/cancel-schedule`, {}) },
      {
        name: 'run due schedules',
        take: async () => {
          clock.time += drawNumber(draw, 1, 9) * HOUR_MS;
          const desk = { ...createDesk(manager.service.storage), now };
          for await (const { failure } of fireDue(desk, clock.time)) expect(failure?.bug ?? null).toBe(null);
        },
      },
    ];
    const author = pick(draw, AUTHORS);
    const asset = pick(draw, ASSETS);
    const isBlock = type === 'quote';
    const around: readonly Step[] = [
      { name: `rename ${author}`, take: () => call('PATCH', `${here}/authors/${author}`, { name: word }) },
      {
        name: `delete ${author}`,
        take: async () => {
          await call(
            'DELETE',
            `${here}/authors/${author}?confirm=${author}${chance(draw, 50) ? '&replace_with=u_shown' : ''}`,
          );
        },
      },
      { name: `create ${author}`, take: () => call('POST', `${here}/authors`, { id: author, name: word }) },
      { name: `rename ${asset}`, take: () => call('PATCH', `${here}/assets/${asset}`, { name: word }) },
      { name: `delete ${asset}`, take: () => call('DELETE', `${here}/assets/${asset}`) },
      {
        name: `create ${asset}`,
        take: () => call('POST', `${here}/assets`, { id: asset, name: word, url: 'https://files.example/x.png' }),
      },
      { name: `rename the type ${type}`, isCautious: isBlock, take: () => call('PATCH', inType, { name: word }) },
      {
        name: `change the uri pattern of ${type}`,
        take: () => call('PATCH', inType, { uri_pattern: pick(draw, ['{slug}', '{language}/{slug}', 'x/{slug}']) }),
      },
      {
        name: `reorder the fields of ${type}`,
        isCautious: isBlock,
        take: async () => {
          const { body } = await manager.call('GET', inType);
          const fields: readonly { readonly handle: string }[] = Object(body).fields ?? [];
          const handles = fields.map(({ handle }) => handle);
          return call('PUT', `${inType}/field-order`, { fields: shuffle(draw, handles) });
        },
      },
      {
        name: `rename ${type}.${field}`,
        isCautious: isBlock,
        take: () => call('PATCH', `${inType}/fields/${field}`, { name: word }),
      },
      {
        name: `hide or show ${type}.${field}`,
        isCautious: isBlock,
        take: () => call('PATCH', `${inType}/fields/${field}`, { hidden: chance(draw, 50) }),
      },
      {
        name: `require ${type}.${field}`,
        take: () => call('PATCH', `${inType}/fields/${field}`, { required: chance(draw, 30) }),
      },
      {
        name: 'change the label of an option',
        take: () => {
          const value = pick(draw, ['calm', 'loud', 'odd']);
          const options = FIELDS.mood.options.map((option) =>
            option.value === value ? { value, label: word } : option,
          );
          return call('PATCH', `${here}/types/article/fields/mood`, { options });
        },
      },
      {
        name: `add ${type}.${field}`,
        isCautious: isBlock,
        take: () => {
          const { [field]: known = { handle: field, name: field, type: 'text' } } = { ...NO_FIELDS, ...FIELDS };
          return call('POST', `${inType}/fields`, known);
        },
      },
      {
        // Hidden values affect the ETag.
        name: `delete ${type}.${field}`,
        isCautious: isBlock || hidden.has(`${type}.${field}`),
        take: () => call('DELETE', `${inType}/fields/${field}?confirm=${field}`),
      },
      { name: `delete the type ${type}`, take: () => call('DELETE', inType) },
      {
        name: `create the type ${type}`,
        take: () =>
          call('POST', `${here}/types`, {
            handle: type,
            name: word,
            object_type: isBlock ? 'block' : 'entry',
            fields: [FIELDS.title],
          }),
      },
      { name: 'add a language', take: () => call('POST', `${here}/languages`, { language: pick(draw, LANGUAGES) }) },
      { name: 'remove a language', take: () => call('DELETE', `${here}/languages/${pick(draw, LANGUAGES)}`) },
      {
        name: 'set the default language',
        take: () => call('PUT', `${here}/default-language`, { language: pick(draw, LANGUAGES) }),
      },
      { name: 'rename the site', take: () => call('PATCH', here, { name: word }) },
      {
        name: "change the site's URL",
        take: () => call('PATCH', here, { url: pick(draw, [null, 'https://a.example', 'https://b.example']) }),
      },
      {
        name: 'change another site',
        take: () => call('PATCH', '/sites/s_other', { url: `https://${word}.example` }),
      },
      { name: 'create a key', take: () => call('POST', '/keys', { name: word, all_sites: true }) },
      { name: 'create a token', take: () => call('POST', '/tokens', { name: word, role: 'editor' }) },
      { name: 'rename the account', take: () => call('PATCH', '/account', { name: word }) },
      {
        name: 'create a user',
        take: () =>
          call('POST', '/users', {
            email: `${word}${drawNumber(draw, 0, 99)}@b.example`,
            name: word,
            role: 'editor',
            password: 'staple battery horse correct',
          }),
      },
    ];
    return chance(draw, 55) ? pick(draw, content) : pick(draw, around);
  }

  return { refused: () => refused, draw: async (draw) => drawStep(draw, await listHidden()) };
}

const NO_FIELDS: Readonly<Record<string, { handle: string; name: string; type: string } | undefined>> = {};
