// Compares random lists from random sites, walked to the end and back, with a naive implementation of the specification.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSeeded } from '../../oracle/draw.ts';
import { walkByCursor, walkByPage } from '../../oracle/list-walk.ts';
import { type ExpectedAnswer, type NaiveService, naiveService } from '../../oracle/naive-service.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { drawListRequest, drawObjectRequest, type RandomRequest } from '../../oracle/random-request.ts';
import { drawBundle } from '../../oracle/random-site.ts';
import { type BodyComparison, compareBodies, expectSameText } from '../../oracle/same-body.ts';
import { get, urlOf } from '../../oracle/service-call.ts';
import { startService, type TestService } from '../../support/service.ts';
import { ENGINES } from '../../support/test-database.ts';

/** same-answers.full.test.ts shows that both engines return the same bytes, so a few sites are enough for the second one. */
const SITES = { sqlite: proofSize(8, 82), postgres: proofSize(2, 82) };
const LISTS_PER_SITE = proofSize(20, 42);
const OBJECTS_PER_SITE = 15;

describe.each(ENGINES)('on %s', (engine) => {
  describe('random lists', () => {
    let service: TestService;
    let token: string;
    const counted = { lists: 0, refused: 0, pages: 0, objects: 0, single: 0 };

    beforeAll(async () => {
      service = await startService({}, { engine });
      token = (await service.createKey({ allSites: true, preview: true })).token;
    });

    afterAll(async () => {
      await service.close();
      reportProof(
        `random lists on ${engine}: ${counted.lists} lists walked both ways, ${counted.pages} pages, ${counted.objects} objects compared; ` +
          `${counted.refused} invalid requests rejected, ${counted.single} objects fetched by ID`,
      );
    });

    test('match the specification on every page, forwards and backwards', async () => {
      for (const [run, seed] of seeds(SITES[engine]).entries()) {
        await runSeeded(seed, async (draw) => {
          const bundle = drawBundle(draw, `r${run}`);
          await service.importRecords(bundle.records);
          const oracle = naiveService(bundle.records);
          const comparison = compareBodies();
          const [main, other = main] = bundle.sites;
          if (main === undefined || other === undefined) throw new Error('a bundle has at least one site');
          for (let count = 0; count < LISTS_PER_SITE; count++) {
            const random = count % 10 === 9 ? other : main;
            await checkList(drawListRequest(draw, random), oracle, comparison);
          }
          for (let count = 0; count < OBJECTS_PER_SITE; count++) {
            const foreign = other.contents.map((content) => content.id);
            await checkObject(drawObjectRequest(draw, main, foreign), oracle, comparison);
          }
        });
      }
      expect(counted.lists + counted.refused).toBeGreaterThan(0);
    });

    async function checkList(request: RandomRequest, oracle: NaiveService, comparison: BodyComparison): Promise<void> {
      const { path, query, pairs, headers } = request;
      const url = urlOf(service.url, path, query);
      const expected = expectedAnswer(oracle, request);
      if (expected.kind !== 'list') return expectError(request, expected);
      const walked = {
        list: expected,
        address: { path: `${service.url}${path}`, pairs },
        url,
        comparison,
        get: (each: string) => get(each, token, headers),
      };
      const { pages, objects } = await describeFailure(request, () =>
        expected.mode === 'cursor' ? walkByCursor(walked) : walkByPage(walked),
      );
      counted.lists += 1;
      counted.pages += pages;
      counted.objects += objects;
    }

    async function checkObject(
      request: RandomRequest,
      oracle: NaiveService,
      comparison: BodyComparison,
    ): Promise<void> {
      const expected = expectedAnswer(oracle, request);
      if (expected.kind !== 'object') return expectError(request, expected);
      const answer = await get(urlOf(service.url, request.path, request.query), token, request.headers);
      await describeFailure(request, () => comparison.expectSame(request.path, [answer.body], [expected.body]));
      counted.single += 1;
    }

    function expectedAnswer(oracle: NaiveService, { path, pairs, headers }: RandomRequest): ExpectedAnswer {
      return oracle.answer({ path, pairs, headers, key: { sites: 'all', mayPreview: true } });
    }

    async function expectError(request: RandomRequest, expected: ExpectedAnswer): Promise<void> {
      if (expected.kind !== 'error') throw new Error(`${request.path} should not have been a ${expected.kind}`);
      const answer = await get(urlOf(service.url, request.path, request.query), token, request.headers);
      await describeFailure(request, () => {
        expectSameText('status', String(answer.status), String(expected.status));
        expect(answer.body).toEqual({ message: expect.stringMatching(expected.message) });
      });
      counted.refused += 1;
    }
  });
});

async function describeFailure<Outcome>(
  request: RandomRequest,
  check: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await check();
  } catch (error) {
    throw new Error(`${decodeURIComponent(request.query)} ${JSON.stringify(request.headers)}\n${String(error)}`, {
      cause: error,
    });
  }
}
