import type { ManagedContentBody } from '@galley/wire';
import { afterEach, beforeEach, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { isRecord } from '../fields/field-values.ts';
import type { DraftValues } from './draft-values.ts';
import type { DraftKeeper } from './kept-drafts.ts';
import type { DraftChange } from './merge-drafts.ts';
import { openDraft } from './open-draft.ts';

export const CONTENT: ManagedContentBody = {
  id: 'c_1',
  content_type: 'post',
  language: 'en',
  name: 'Tide',
  slug: 'tide',
  author: null,
  author_name: null,
  state: 'draft',
  version: 1,
  published_version: null,
  published_at: null,
  publish_at: null,
  unpublish_at: null,
  failed_schedule: null,
  created_at: '2026-03-01T08:00:00+00:00',
  updated_at: '2026-03-01T08:00:00+00:00',
  uri: null,
  path: 'tide',
  url: null,
  published_path: null,
  published_url: null,
  seo: {},
  fields: { title: { text: 'Tide' } },
  saved_by: null,
  slug_follows_name: false,
  faults: [],
  warnings: [],
  translations: [],
  missing_languages: [],
  sanitised: [],
};

type Answer = 'arrives' | 'is lost';

/** A fake service with one content object, and fake browser storage. */
export function createDesk() {
  let stored = CONTENT;
  let memory: readonly DraftChange[] = [];
  let failure: Error | undefined;
  let answer: Answer = 'arrives';
  let delay: Promise<unknown> = Promise.resolve();
  let hasRoom = true;
  let handles = ['title', 'lead'];
  let closed = 0;
  let saves = 0;
  let published: number | undefined;
  const keeper: DraftKeeper = {
    keep: (changes) => {
      if (hasRoom) memory = changes;
      return hasRoom;
    },
    drop: () => {
      memory = [];
    },
    close: () => {
      closed += 1;
    },
  };
  const write = (values: Partial<DraftValues>): ManagedContentBody => {
    const { slug: given = stored.slug, name = stored.name } = values;
    const slug = given ?? name.toLowerCase();
    stored = {
      ...stored,
      ...values,
      slug,
      slug_follows_name: given === null,
      version: stored.version + 1,
      saved_by: { id: 'p_2', name: 'Edgar' },
    };
    return stored;
  };
  const store = (version: number, values: DraftValues): ManagedContentBody => {
    const unknown = Object.keys(values.fields).filter((handle) => !handles.includes(handle));
    if (unknown.length > 0) {
      const errors = unknown.map((handle) => ({ path: `fields.${handle}`, message: 'is not a field of post' }));
      throw new ApiError(422, { message: 'No.', errors });
    }
    for (const path of ['name', 'slug'] as const) {
      if (values[path] === '') throw new ApiError(422, { message: 'No.', errors: [{ path, message: 'is empty' }] });
    }
    if (version !== stored.version) {
      throw new ApiError(409, { message: 'Edgar saved a new version', details: { current_version: stored.version } });
    }
    const { title } = values.fields;
    const text = isRecord(title) ? String(title.text) : '';
    const clean = text.replace('<iframe>', '');
    const fields = { ...values.fields, title: { text: clean } };
    return { ...write({ ...values, fields }), sanitised: clean === text ? [] : ['fields.title.text'] };
  };
  return {
    write,
    stored: () => stored,
    memory: () => memory,
    saves: () => saves,
    published: () => published,
    isClosed: () => closed > 0,
    failWith: (error: Error | undefined) => {
      failure = error;
    },
    answerThat: (next: Answer) => {
      answer = next;
    },
    /** The service responds to saves once this promise resolves. */
    delayBy: (next: Promise<unknown>) => {
      delay = next;
    },
    fillUp: () => {
      hasRoom = false;
    },
    deleteField: (handle: string) => {
      handles = handles.filter((each) => each !== handle);
      const { [handle]: _, ...fields } = stored.fields;
      stored = { ...stored, fields };
    },
    open: () =>
      openDraft({
        content: stored,
        keeper,
        kept: memory,
        publish: async (version) => {
          published = version;
          return { ...stored, state: 'published', published_version: version };
        },
        read: async () => stored,
        readFit: async () => (values) => ({
          ...values,
          fields: Object.fromEntries(Object.entries(values.fields).filter(([handle]) => handles.includes(handle))),
        }),
        save: async (version, values) => {
          saves += 1;
          if (failure !== undefined) throw failure;
          const saved = store(version, values);
          const [isHeard] = [answer === 'arrives', await delay];
          if (!isHeard) throw new ConnectionError('lost');
          return saved;
        },
        onSaved: () => undefined,
        onClosed: () => undefined,
      }),
  };
}

export const rename = (name: string) => (values: DraftValues) => ({ ...values, name });
export const retitle = (text: string) => (values: DraftValues) => ({
  ...values,
  fields: { ...values.fields, title: { text } },
});

/** Uses fake timers in every test in the file. */
export function stopTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('document', new EventTarget());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
