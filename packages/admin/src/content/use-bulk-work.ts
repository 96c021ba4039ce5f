// One piece of bulk work: how far it is, what failed, and the way to stop it.

import type { ContentSummaryBody, ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { actOn, type BulkAction } from './bulk-actions.ts';
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
  readonly start: (rows: readonly ContentSummaryBody[], isConfirmed: boolean) => Promise<void>;
  /** What is under way is ended, nothing more is begun. */
  readonly stop: () => void;
  readonly reset: () => void;
}

type Standing = Pick<BulkWork, 'phase' | 'total' | 'done' | 'failures'>;

const ASKING: Standing = { phase: 'asking', total: 0, done: 0, failures: [] };

export function useBulkWork(site: string, action: BulkAction): BulkWork {
  const queryClient = useQueryClient();
  const [standing, setStanding] = useState(ASKING);
  const stopper = useRef<AbortController>(undefined);

  function openStopper(): AbortController {
    stopper.current = new AbortController();
    return stopper.current;
  }

  async function start(rows: readonly ContentSummaryBody[], isConfirmed: boolean): Promise<void> {
    const { signal } = openStopper();
    const changed = new Map<string, ManagedContentBody>();
    setStanding({ ...ASKING, phase: 'running', total: rows.length });
    await runInTurn({
      items: rows,
      call: (row) => actOn(site, action, row, isConfirmed),
      onDone: (row, content) => {
        changed.set(row.id, content);
        setStanding((before) => ({ ...before, done: before.done + 1 }));
      },
      onFailed: (row, error) =>
        setStanding((before) => ({ ...before, failures: [...before.failures, { row, error }] })),
      signal,
    });
    await updateLists(queryClient, site, changed);
    setStanding((before) => ({ ...before, phase: 'finished' }));
  }

  return { ...standing, start, stop: () => stopper.current?.abort(), reset: () => setStanding(ASKING) };
}
