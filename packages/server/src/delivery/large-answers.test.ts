import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import { StorageUnavailable, TookTooLong } from '../storage/port.ts';
import { describeFailure, LargeAnswers } from './large-answers.ts';
import type { LargeAnswer } from './make-large-answer.ts';

const THREAD = join(import.meta.dirname, 'large-answers.fixture.ts');
const MADE = { ok: true, value: { generation: 1, body: Buffer.from([1, 2, 3]), validator: 'v', link: undefined } };
/** By the name of the site. */
const FAILURES = {
  late: describeFailure(new TookTooLong('')),
  away: describeFailure(new StorageUnavailable('')),
};

let large: LargeAnswers;

beforeEach(() => {
  large = new LargeAnswers(THREAD, FAILURES);
});

afterEach(() => large.close());

/** Within a turn. */
function make(siteId: string): Promise<Result<LargeAnswer, Problem>> {
  const wanted = { kind: 'object', id: 'c_a', queryString: '', language: undefined } as const;
  return large.make({ token: 't', siteId, isPreview: false, time: 0, wanted });
}

function ask(siteId: string): Promise<Result<LargeAnswer, Problem>> {
  return large.inTurn('somebody', () => make(siteId));
}

describe('a thread that', () => {
  test('fails is replaced for the very next answer', async () => {
    await expect(ask('fails')).rejects.toMatchObject({ cause: { message: 'Out of order' } });
    expect(await ask('works')).toEqual(MADE);
  });

  test('sends what cannot be read is replaced, and holds nobody up', async () => {
    await expect(ask('unreadable')).rejects.toMatchObject({ cause: expect.any(Error) });
    expect(await ask('works')).toEqual(MADE);
  });

  test('took too long is told from one that cannot reach its database', async () => {
    await expect(ask('late')).rejects.toBeInstanceOf(TookTooLong);
    const away = await ask('away').catch((error: unknown) => error);
    expect(away).toBeInstanceOf(StorageUnavailable);
    expect(away).not.toBeInstanceOf(TookTooLong);
  });
});

test('whoever still waits when all is closed is refused, and starts no thread', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const first = large.inTurn('somebody', async () => {
    await held;
    return make('works');
  });
  const second = ask('works');
  await large.close();
  letGo();
  await expect(first).rejects.toThrow(StorageUnavailable);
  await expect(second).rejects.toThrow(StorageUnavailable);
});
