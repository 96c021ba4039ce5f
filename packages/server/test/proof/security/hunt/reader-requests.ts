// Every parameter of the delivery API, in any combination, as a client with an API key could send them.

import { PRESS } from '../../../conformance/records.ts';
import type { Asking } from '../../../support/connection.ts';
import { chance, type Prey, pick } from './climb.ts';
import { AUTHORS, OBJECTS } from './wide-site.ts';

interface ReaderRequest {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly isSimple: boolean;
  /** Empty if no language is requested. */
  readonly language: string;
  /** The cursor for the next page, from the last response to the same request. */
  readonly next: string | undefined;
}

const ATTRIBUTES = [
  ...['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'],
  ...['n0.number', 'n1.number', 'n2.number', 'n3.number', 't0.text', 't1.text', 't2.text', 't3.text'],
];

const DRAWS: readonly (() => readonly [string, string])[] = [
  () => ['sort[]', `${pick(ATTRIBUTES)}:${pick(['asc', 'desc'])}`],
  () => ['sort[]', `${pick(ATTRIBUTES)}:${pick(['asc', 'desc'])}`],
  () => [`fields[number][n${pick([0, 1, 2, 3])}][]`, pick(['0', '1', '7'])],
  () => [`fields[text][t${pick([0, 1, 2, 3])}][]`, pick(['Value 0', 'Value 1', 'No such value'])],
  () => ['fields[is_on][on]', pick(['true', 'false'])],
  () => [`fields[content_links][links][${pick(['slug', 'id'])}]`, pick(['c_0', '0', 'c_none'])],
  () => ['match', pick(['all', 'any'])],
  () => ['author[]', pick([...AUTHORS, 'a_none'])],
  () => ['content_type[]', pick(['note', 'page'])],
  () => ['slug[]', pick(['0', '1', 'none'])],
  () => ['limit', pick(['1', '2', '20', '100'])],
  () => ['page', pick(['1', '2', '50', '150', String(Math.ceil(OBJECTS / 100)), '10000000'])],
  () => ['fallback_default_language', pick(['true', 'false'])],
  () => ['unknown', String(Math.random())],
];

/** @param token the token of an API key */
export function preyOfReaders(token: string): Prey<ReaderRequest> {
  return {
    draw: () => ({
      pairs: Array.from({ length: Math.floor(Math.random() * 25) }, () => pick(DRAWS)()),
      isSimple: chance(40),
      language: pick(['', 'en', 'de']),
      next: undefined,
    }),
    change(request) {
      const { pairs, next } = request;
      const place = Math.floor(Math.random() * pairs.length);
      if (next !== undefined && chance(40)) {
        return { ...request, pairs: [...pairs.filter(([name]) => name !== 'cursor'), ['cursor', next] as const] };
      }
      if (chance(10)) return { ...request, isSimple: !request.isSimple };
      if (chance(10)) return { ...request, language: pick(['', 'en', 'de']) };
      if (chance(25)) return { ...request, pairs: pairs.toSpliced(place, 1) };
      if (chance(40)) return { ...request, pairs: pairs.toSpliced(place, 1, pick(DRAWS)()) };
      return { ...request, pairs: [...pairs, pick(DRAWS)()] };
    },
    build: ({ pairs, isSimple, language }): Asking => ({
      // Bypasses the cache with a unique parameter.
      target: `/api/v1/content?${new URLSearchParams([...pairs.map(([name, value]): [string, string] => [name, value]), ['new', String(Math.random())]])}`,
      headers: {
        authorization: `Bearer ${token}`,
        'x-service-site': PRESS,
        ...(isSimple ? { 'x-service-simple-pagination': 'true' } : {}),
        ...(language === '' ? {} : { 'x-service-language': language }),
      },
    }),
    learn: (request, body) => ({ ...request, next: /"next_cursor":"([^"]+)"/.exec(body.slice(-4000))?.[1] }),
  };
}
