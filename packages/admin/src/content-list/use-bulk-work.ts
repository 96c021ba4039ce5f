// Runs an action on several content objects: reports progress and failures, and can be stopped.

import type { ContentStateName, ContentSummaryBody, ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { isUnauthenticated } from '../api/api-error.ts';
import { runMutation } from '../api/query-client.ts';
import { contentQuery } from '../editor/content-calls.ts';
import { updateLists } from './content-list-query.ts';
import type { ListStatus } from './content-search.ts';
import { runInTurn } from './run-in-turn.ts';

export type BulkAction = 'publish' | 'unpublish' | 'archive' | 'restore';

const STATES: Readonly<Record<BulkAction, readonly ContentStateName[]>> = {
  publish: ['draft', 'changed', 'unpublished'],
  unpublish: ['published', 'changed'],
  archive: ['draft', 'published', 'changed', 'unpublished'],
  restore: ['archived'],
};

export function listBulkActions(status: ListStatus | undefined): readonly BulkAction[] {
  return status === 'archived' ? ['restore'] : ['publish', 'unpublish', 'archive'];
}

export function isMeant(action: BulkAction, { state }: ContentSummaryBody): boolean {
  return STATES[action].includes(state);
}

/** Publishing cancels a scheduled publish; unpublishing and archiving cancel the whole schedule. */
export function losesSchedule(
  action: BulkAction,
  { publish_at: publishAt, unpublish_at: unpublishAt }: ContentSummaryBody,
): boolean {
  return publishAt !== null || (isWithdrawal(action) && unpublishAt !== null);
}

/** If published content links to an item, the service unpublishes or archives that item only after confirmation. */
export function isWithdrawal(action: BulkAction): boolean {
  return action === 'unpublish' || action === 'archive';
}

export interface Failure {
  readonly row: ContentSummaryBody;
  readonly error: Error;
}

export interface BulkWork {
  readonly phase: 'asking' | 'running' | 'finished';
  readonly total: number;
  readonly done: number;
  readonly failures: readonly Failure[];
  /** Published content that has the same URL as other pages. */
  readonly warned: readonly ManagedContentBody[];
  readonly start: (rows: readonly ContentSummaryBody[], isConfirmed: boolean) => Promise<void>;
  /** Retries the failed items, in their current state. */
  readonly startAgain: (isConfirmed: boolean) => Promise<void>;
  /** Finishes the calls in progress and starts no others. */
  readonly stop: () => void;
}

type Act = (row: ContentSummaryBody) => Promise<ManagedContentBody>;
type Standing = Pick<BulkWork, 'phase' | 'total' | 'done' | 'failures' | 'warned'>;

const ASKING: Standing = { phase: 'asking', total: 0, done: 0, failures: [], warned: [] };

export function useBulkWork(site: string, action: BulkAction): BulkWork {
  const queryClient = useQueryClient();
  const [standing, setStanding] = useState(ASKING);
  const stopper = useRef<AbortController>(undefined);

  function openStopper(): AbortController {
    stopper.current = new AbortController();
    return stopper.current;
  }

  useEffect(() => () => stopper.current?.abort(), []);

  async function run(rows: readonly ContentSummaryBody[], act: Act): Promise<void> {
    const { signal } = openStopper();
    const changed = new Map<string, ManagedContentBody>();
    setStanding({ ...ASKING, phase: 'running', total: rows.length });
    await runInTurn({
      items: rows,
      call: (row) => runMutation(queryClient, () => act(row)),
      onDone: (row, content) => {
        changed.set(row.id, content);
        const isWarned = action === 'publish' && content.warnings.length > 0;
        setStanding((before) => ({
          ...before,
          done: before.done + 1,
          warned: isWarned ? [...before.warned, content] : before.warned,
        }));
      },
      onFailed: (row, error) => {
        // Without a session, everything else would fail too.
        if (isUnauthenticated(error)) stopper.current?.abort();
        setStanding((before) => ({ ...before, failures: [...before.failures, { row, error }] }));
      },
      signal,
    });
    await updateLists(queryClient, site, changed);
    setStanding((before) => ({ ...before, phase: 'finished' }));
  }

  return {
    ...standing,
    start: (rows, isConfirmed) => run(rows, (row) => actOn(site, action, row, isConfirmed)),
    startAgain: (isConfirmed) =>
      run(
        standing.failures.map(({ row }) => row),
        async ({ id }) => {
          const now = await queryClient.fetchQuery({ ...contentQuery(site, id), staleTime: 0 });
          return isMeant(action, now) ? actOn(site, action, now, isConfirmed) : now;
        },
      ),
    stop: () => stopper.current?.abort(),
  };
}

function actOn(
  site: string,
  action: BulkAction,
  { id, version }: ContentSummaryBody,
  isConfirmed: boolean,
): Promise<ManagedContentBody> {
  const params = { path: { site, content: id } };
  const root = '/manage/v1/sites/{site}/content/{content}';
  // Publishes only the version shown in the list, not one that somebody has saved since.
  if (action === 'publish') return readAnswer(api.POST(`${root}/publish`, { params, body: { version } }));
  if (action === 'restore') return readAnswer(api.POST(`${root}/restore`, { params, body: {} }));
  return readAnswer(api.POST(`${root}/${action}`, { params, body: { confirm: isConfirmed } }));
}
