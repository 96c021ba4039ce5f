// One piece of bulk work: how far it is, what failed, and the way to stop it.

import type { ContentSummaryBody, ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isUnauthenticated } from '../api/api-error.ts';
import { runMutation } from '../api/run-mutation.ts';
import { contentQuery } from '../editor/content-queries.ts';
import { actOn, type BulkAction, isMeant } from './bulk-actions.ts';
import { runInTurn } from './run-in-turn.ts';
import { updateLists } from './update-lists.ts';

export interface Failure {
  readonly row: ContentSummaryBody;
  readonly error: Error;
}

export interface BulkWork {
  readonly phase: 'asking' | 'running' | 'finished';
  readonly total: number;
  readonly done: number;
  readonly failures: readonly Failure[];
  /** What was published and has its URL in common with other pages. */
  readonly warned: readonly ManagedContentBody[];
  readonly start: (rows: readonly ContentSummaryBody[], isConfirmed: boolean) => Promise<void>;
  /** Tries what failed once more, with the objects as they are by now. */
  readonly startAgain: (isConfirmed: boolean) => Promise<void>;
  /** What is under way is ended, nothing more is begun. */
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
        // There is no session any more: nothing else would be done either.
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
