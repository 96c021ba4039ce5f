// Runs random sequences of actions over HTTP on content in two languages. After each action, the management API and the delivery
// API, public and preview, must match a naive model. Schedules run as in the service.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { ManagedContentBody, OverviewBody } from '@galley/wire';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fireDue } from '../../../src/authoring/schedule/fire-due.ts';
import { formatTimestamp } from '../../../src/content/timestamp.ts';
import { nameState, STATES } from '../../management/lifecycle-table.ts';
import { type Answer, type Manager, startManager } from '../../management/manager.ts';
import { NaiveContent } from '../../management/naive-lifecycle.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';

const SEQUENCES = proofSize(30, 1500);
/** A day far in the future, after all other times in these tests. Schedules are due on the hour on this day. */
const DAY = Date.parse('2990-01-01T00:00:00Z');
const HOUR = 3_600_000;
const BY_HAND = Date.parse('2005-05-05T05:05:05Z');
const PAST = Date.parse('2006-06-06T06:06:06Z');

const which = fc.constantFrom('publish' as const, 'unpublish' as const, 'both' as const);
/** Most publish times are before the unpublish times, so most schedules are in a sensible order. */
const morning = buildHour(0, 14);
const evening = buildHour(10, 23);
const anyHour = buildHour(0, 23);
/** Most sequences use only a few objects, so each object goes through many steps. */
const target = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat({ max: 4 }) });
const usually = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });

function buildHour(min: number, max: number): fc.Arbitrary<number> {
  const hours = fc.integer({ min, max }).map((count) => DAY + count * HOUR);
  return fc.oneof({ weight: 14, arbitrary: hours }, { weight: 1, arbitrary: fc.constant(PAST) });
}

/** A random step. Its target is an index that is taken modulo the number of content objects. */
const anyStep = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('translate' as const), target }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      target,
      name: fc.constantFrom('Red', 'Green', 'Blue'),
      isWhole: usually,
      isFresh: usually,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish' as const), target, isByHand: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('discard' as const), target }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unpublish' as const), target }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('schedule' as const),
      target,
      publishAt: fc.option(morning, { nil: undefined }),
      unpublishAt: fc.option(evening, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), target, which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), target }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), target }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fire' as const), at: anyHour }) },
);

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

interface Pair {
  readonly id: string;
  readonly model: NaiveContent;
}

let manager: Manager;
let sites = 0;
let steps = 0;

beforeAll(async () => {
  manager = await startManager();
});

afterAll(() => manager.close());

test('after any sequence of actions, every state is in the table and readers see the right content', async () => {
  const known = new Set(STATES.map(nameState));
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30, size: 'max' }), async (sequence) => {
      const walk = await openWalk();
      for (const step of sequence) {
        const touched = await walk.take(step);
        for (const pair of touched) expect(known).toContain(await walk.compare(pair));
        await walk.compareLists();
        await walk.compareCounts();
        steps += 1;
      }
    }),
    { numRuns: SEQUENCES },
  );
  reportProof(`lifecycle: ${SEQUENCES} sequences, ${steps} steps, all of them match the model`);
});

/** Creates a separate site with one original. */
async function openWalk() {
  const site = `s_walk_${++sites}`;
  await manager.service.importRecords([
    { kind: 'site', id: site, name: 'Walk', default_language: 'en', languages: ['en', 'fr'], url: null },
    {
      kind: 'content_type',
      id: 't_post',
      site,
      handle: 'post',
      name: 'Post',
      object_type: 'page',
      fields: [{ handle: 'title', name: 'Title', type: 'text', required: true }],
    },
  ]);
  const root = `/sites/${site}/content`;
  const pairs: Pair[] = [];
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    manager.call(method, `${root}${path}`, { body, token: manager.editor });

  async function create(): Promise<readonly Pair[]> {
    const model = new NaiveContent('en', pairs.length, { name: 'Red', isWhole: true });
    // The slug is unique, so a slug conflict never prevents a restore.
    const body = { content_type: 'post', slug: `post-${pairs.length}`, ...render('Red', true) };
    return [await add(call('POST', '', body), model)];
  }

  async function add(answer: Promise<Answer>, model: NaiveContent): Promise<Pair> {
    const { status, body } = await answer;
    expect(status).toBe(201);
    const pair = { id: asContent(body).id, model };
    pairs.push(pair);
    return pair;
  }

  async function translate({ id, model }: Pair): Promise<readonly Pair[]> {
    const isThere = pairs.some((pair) => pair.model.group === model.group && pair.model.language === 'fr');
    const answer = call('POST', `/${id}/translations`, { language: 'fr', slug: `post-${pairs.length}` });
    if (!isThere) return [await add(answer, new NaiveContent('fr', model.group, model.newest))];
    expect((await answer).status).toBe(409);
    return [];
  }

  async function fire(at: number): Promise<readonly Pair[]> {
    const { storage } = manager.service;
    for await (const _ of fireDue({ storage, now: () => at, newUuid: randomUUIDv7, randomBytes }, at));
    for (const { model } of pairs) model.pass(at);
    return pairs;
  }

  /** Carries out a step and returns the affected content. */
  async function take(step: Step): Promise<readonly Pair[]> {
    if (step.kind === 'create') return create();
    if (step.kind === 'fire') return fire(step.at);
    const pair = pairs[step.target % pairs.length];
    if (pair === undefined) throw new Error('The walk has no content');
    if (step.kind === 'translate') return translate(pair);
    const [expected, answer] = await act(pair, step);
    expect([step.kind, answer.status]).toEqual([step.kind, expected]);
    return [pair];
  }

  async function act(
    { id, model }: Pair,
    step: Exclude<Step, { kind: 'create' | 'fire' | 'translate' }>,
  ): Promise<readonly [expected: number, answer: Answer]> {
    switch (step.kind) {
      case 'save': {
        const version = Math.max(1, model.versions.length - (step.isFresh ? 0 : 1));
        const { name, isWhole } = step;
        return [
          model.save(version, { name, isWhole }),
          await call('PUT', `/${id}`, { version, ...render(name, isWhole) }),
        ];
      }
      case 'publish': {
        const body = step.isByHand ? { published_at: formatTimestamp(BY_HAND) } : {};
        return [model.publish(step.isByHand ? BY_HAND : undefined), await call('POST', `/${id}/publish`, body)];
      }
      case 'schedule': {
        const { publishAt, unpublishAt } = step;
        const body = { publish_at: show(publishAt), unpublish_at: show(unpublishAt) };
        const isEmpty = publishAt === undefined && unpublishAt === undefined;
        const expected = isEmpty ? 422 : model.schedule(publishAt, unpublishAt, Date.now());
        return [expected, await call('POST', `/${id}/schedule`, body)];
      }
      case 'cancel':
        return [model.cancel(step.which), await call('POST', `/${id}/cancel-schedule`, { which: step.which })];
      case 'discard':
        return [model.discard(), await call('POST', `/${id}/discard-changes`)];
      case 'unpublish':
      case 'archive':
      case 'restore':
        return [model[step.kind](), await call('POST', `/${id}/${step.kind}`)];
    }
  }

  /** Returns the name of the state after checking that everything about the content matches the model. */
  async function compare({ id, model }: Pair): Promise<string> {
    const content = asContent((await call('GET', `/${id}`)).body);
    const { state, name, version, published_version, published_at, publish_at, unpublish_at, failed_schedule } =
      content;
    expect({ state, name, version, published_version, publish_at, unpublish_at }).toEqual({
      state: model.stateName,
      name: model.newest.name,
      version: model.versions.length,
      published_version: model.shown?.version ?? null,
      publish_at: show(model.publishAt),
      unpublish_at: show(model.unpublishAt),
    });
    const { failed } = model;
    if (failed === null) expect(failed_schedule).toBe(null);
    else {
      const [due_at, failed_at] = [formatTimestamp(failed.dueAt), formatTimestamp(failed.failedAt)];
      expect(failed_schedule).toMatchObject({ action: failed.action, due_at, failed_at, errors: [NO_TITLE] });
    }
    const since = model.shown?.since;
    if (since === 'now') expect(Math.abs(Date.parse(published_at ?? '') - Date.now())).toBeLessThan(600_000);
    else expect(published_at).toBe(show(since ?? null));
    expect(await readName(id, {})).toBe(model.publicName);
    expect(await readName(id, PREVIEW)).toBe(model.previewName);
    return `${state}${publish_at === null ? '' : ' +P'}${unpublish_at === null ? '' : ' +U'}`;
  }

  async function readName(id: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
    const { status, body } = await manager.read(site, `/${id}`, headers);
    return status === 404 ? null : asContent(body).name;
  }

  async function compareLists(): Promise<void> {
    for (const language of ['en', 'fr']) {
      for (const headers of [{}, PREVIEW]) {
        const answer = await manager.read(site, '?limit=100', {
          'x-service-language': language,
          ...headers,
        });
        const expected = pairs.flatMap(({ id, model }) => {
          const name = headers === PREVIEW ? model.previewName : model.publicName;
          return name === null || model.language !== language ? [] : [`${id} ${name}`];
        });
        expect(listNames(answer.body).toSorted()).toEqual(expected.toSorted());
      }
    }
  }

  async function compareCounts(): Promise<void> {
    const { states, types } = await manager.expectOk<OverviewBody>('GET', `/sites/${site}/overview`);
    const count = (isMeant: (model: NaiveContent) => boolean) => pairs.filter(({ model }) => isMeant(model)).length;
    expect(states).toEqual({
      draft: count(({ state }) => state === 'draft'),
      published: count(({ state }) => state === 'published'),
      changed: count(({ stateName }) => stateName === 'changed'),
      unpublished: count(({ state }) => state === 'unpublished'),
      archived: count(({ state }) => state === 'archived'),
      scheduled: count(({ publishAt, unpublishAt }) => publishAt !== null || unpublishAt !== null),
      failed: count(({ failed }) => failed !== null),
    });
    const total = pairs.length - states.archived;
    expect(types).toEqual(total === 0 ? [] : [{ content_type: 'post', total }]);
  }

  await create();
  return { take, compare, compareLists, compareCounts };
}

const NO_TITLE = { path: 'fields.title', message: 'is required and has no value', code: 'required' };
const PREVIEW = { 'x-service-preview': 'true' };

function render(name: string, isWhole: boolean): object {
  return { name, fields: isWhole ? { title: { text: 'T' } } : {} };
}

function show(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : formatTimestamp(time);
}

function asContent(body: unknown): ManagedContentBody {
  if (typeof body === 'object' && body !== null && 'id' in body) return body as ManagedContentBody;
  throw new Error(`Not a content object: ${JSON.stringify(body)}`);
}

/** A list of one object has no envelope. */
function listNames(body: unknown): readonly string[] {
  const items = typeof body === 'object' && body !== null && 'data' in body ? body.data : [body];
  return Array.isArray(items) ? items.map(asContent).map(({ id, name }) => `${id} ${name}`) : [];
}
