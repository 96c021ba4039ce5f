// A site that changes step by step in a known way. Each step changes, unpublishes or publishes one object, which contains the step
// number. The expected response after each step is therefore known for every kind of request.

import { at, content, contentType, site } from '../conformance/records.ts';

export const SITE = 's_changing';
const MOVING = Array.from({ length: 6 }, (_, index) => `c_moving_${index}`);
/** Always published, so lists are large enough to be compressed. */
const RESTING = Array.from({ length: 4 }, (_, index) => `c_resting_${index}`);
const FIRST_TIME = Date.parse('2020-01-01T00:00:00Z');
const FILLING = 'A sentence that says little. '.repeat(20);

export interface Step {
  readonly number: number;
  readonly id: string;
  /** A step saves and publishes an object, unpublishes it, or publishes its last saved version. */
  readonly kind: (typeof KINDS)[number];
}

const KINDS = ['change', 'unpublish', 'publish'] as const;

/** The step that saved an object and the step that published it. */
interface ObjectState {
  readonly saved: number;
  readonly published: number | null;
}

/** In creation order. */
export type SiteState = ReadonlyMap<string, ObjectState>;

export const FIRST_STATE: SiteState = new Map([...MOVING, ...RESTING].map((id) => [id, { saved: 0, published: 0 }]));

export function buildRecords(): readonly object[] {
  const fields = [
    { handle: 'rank', type: 'number' },
    { handle: 'filling', type: 'text' },
  ];
  const contents = [...FIRST_STATE.keys()].map((id, index) =>
    content({ id, site: SITE, created_at: at(index + 1), published_at: toTime(0), ...buildValues(0) }),
  );
  return [site(SITE), contentType(SITE, 'note', fields), ...contents];
}

/** The values that a step saves. */
export function buildValues(step: number) {
  return { name: `Step ${step}`, fields: { rank: { number: step }, filling: { text: FILLING } } };
}

/** @param number starts at 1 */
export function buildStep(number: number): Step {
  const index = (number - 1) % MOVING.length;
  const round = Math.floor((number - 1) / MOVING.length);
  return { number, id: MOVING[index] ?? '', kind: KINDS[round % KINDS.length] ?? 'change' };
}

export function applyStep(state: SiteState, { number, id, kind }: Step): SiteState {
  const { saved = 0, published = 0 } = state.get(id) ?? {};
  const next = {
    change: { saved: number, published },
    unpublish: { saved, published: null },
    publish: { saved, published: number },
  };
  return new Map(state).set(id, next[kind]);
}

/** The publish time, which identifies a step. */
export function toTime(step: number): string {
  return `${new Date(FIRST_TIME + step * 1000).toISOString().slice(0, 19)}+00:00`;
}

/** A kind of request and the response it must get in a given state. */
export interface View {
  readonly target: string;
  readonly isSimple: boolean;
  readonly expect: (state: SiteState) => string;
}

const PATH = '/api/v1/content';
const PAGE_SIZE = 3;

export const VIEWS: readonly View[] = [
  ...[...MOVING, ...RESTING.slice(0, 1)].map((id) => ({
    target: `${PATH}/${id}`,
    isSimple: false,
    expect: (state: SiteState) => describe(listShown(state).filter((shown) => shown.id === id)) || 'nothing',
  })),
  {
    target: `${PATH}?limit=100&sort=created_at`,
    isSimple: false,
    expect: (state) => describe(listShown(state)),
  },
  {
    target: `${PATH}?limit=100&sort=rank.number:desc`,
    isSimple: false,
    expect: (state) => describe(listShown(state).toSorted((one, other) => other.saved - one.saved)),
  },
  ...[1, 2, 3].map((page) => ({
    target: `${PATH}?limit=${PAGE_SIZE}&page=${page}&sort=created_at`,
    isSimple: true,
    expect: (state: SiteState) => {
      const all = listShown(state);
      const shown = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      return describe(shown, shown.length === 1 ? undefined : all.length);
    },
  })),
];

/** The state found in a response, in the same format as `expect`. */
export function describeAnswer(status: number, text: string): string {
  if (status === 404) return 'nothing';
  if (status !== 200) return `${status} ${text}`;
  const body = parseAnswer(text);
  // A list of exactly one object has no envelope.
  const objects = 'data' in body ? body.data : [body];
  const shown = objects.map(({ id, name, fields: { rank }, published_at }) => {
    const saved = name === `Step ${rank.number}` ? rank.number : Number.NaN;
    return { id, saved, published: (Date.parse(published_at) - FIRST_TIME) / 1000 };
  });
  return describe(shown, 'data' in body ? body.meta.total : undefined);
}

interface Shown extends ObjectState {
  readonly id: string;
}

function listShown(state: SiteState): readonly Shown[] {
  return [...state].flatMap(([id, object]) => (object.published === null ? [] : [{ id, ...object }]));
}

function describe(shown: readonly Shown[], total?: number): string {
  const objects = shown.map(({ id, saved, published }) => `${id}=${saved}/${published}`).join(' ');
  return total === undefined ? objects : `${objects} of ${total}`;
}

interface ObjectBody {
  readonly id: string;
  readonly name: string;
  readonly published_at: string;
  readonly fields: { readonly rank: { readonly number: number } };
}

type AnswerBody = ObjectBody | { readonly data: readonly ObjectBody[]; readonly meta: { readonly total?: number } };

function parseAnswer(text: string): AnswerBody {
  return JSON.parse(text) as AnswerBody;
}
