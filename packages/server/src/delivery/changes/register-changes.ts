// Registers the change feed and its stream. They share the reads, the watch for changes, and the checks on their readers.

import type { FastifyInstance, RouteHandler } from 'fastify';
import type { UnreadAnswers } from '../../http/unread-answers.ts';
import { StorageFault, StorageUnavailable } from '../../storage/engine.ts';
import type { RequestRules } from '../delivery-request.ts';
import { createFailRequest, type FailureParts } from '../fail-request.ts';
import type { MakingTime } from '../making-time.ts';
import type { AdmissionParts } from './admit-reader.ts';
import { ChangeWatch } from './change-watch.ts';
import { createChangeFeed, type ServeChanges } from './create-change-feed.ts';
import { createChangeStream } from './create-change-stream.ts';
import { OpenStreams, STREAM_LIMITS } from './open-streams.ts';
import { MOST_PLACES, ReaderPlaces } from './reader-places.ts';
import { SharedPages } from './shared-pages.ts';

const FEED_PATH = '/changes/v1';
const STREAM_PATH = `${FEED_PATH}/stream`;

export interface ChangesOptions extends RequestRules, FailureParts, AdmissionParts {
  readonly unread: UnreadAnswers;
  readonly making: MakingTime;
  /** Whether the service is draining. */
  readonly isDraining: () => boolean;
  readonly streamsPerKey: number;
}

export function registerChanges(server: FastifyInstance, options: ChangesOptions): OpenStreams {
  const { reads, unread, log, noteFault, isDraining, streamsPerKey } = options;
  let isClosing = false;
  const isStopping = (): boolean => isClosing || isDraining();
  const pages = new SharedPages(options);
  const watch = new ChangeWatch({
    peekStamp: () => reads.peekStamp(),
    readLogEnds: (siteIds) => reads.readLogEnds(siteIds),
    isAdmitted: async (reader) => (await pages.checks.check(reader)).ok,
    isStopping,
    onFailure(error) {
      if (error instanceof StorageFault) noteFault(error);
      // An unreachable database is not a bug, and the next read may reach it again.
      if (!(error instanceof StorageUnavailable)) log.error({ err: error }, 'checking for changes failed');
    },
  });
  const streams = new OpenStreams(STREAM_LIMITS, { unread, isStopping });
  const places = new ReaderPlaces({ perKey: streamsPerKey, perProcess: MOST_PLACES });
  const parts = { ...options, pages, watch, places, isStopping };
  const failRequest = createFailRequest(options);

  function route(serve: ServeChanges): RouteHandler {
    return (request, reply) => {
      const { raw: response } = reply.hijack();
      serve(request.raw, response).catch((error) => failRequest(response, error));
      return reply;
    };
  }

  server.get(FEED_PATH, route(createChangeFeed(parts)));
  server.get(STREAM_PATH, route(createChangeStream({ ...parts, streams })));
  // The server closes only when the last request has ended.
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  return streams;
}
