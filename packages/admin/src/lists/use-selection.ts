// The selected rows of a list.

import { useCallback, useRef, useState } from 'react';

interface Identified {
  readonly id: string;
}

export interface Selection<Row extends Identified> {
  readonly chosen: ReadonlyMap<string, Row>;
  readonly has: (id: string) => boolean;
  readonly toggle: (index: number) => void;
  /** Toggles all rows from the last selected one to this one. */
  readonly toggleRange: (index: number) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

export function useSelection<Row extends Identified>(rows: readonly Row[]): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const last = useRef(0);

  const toggle = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row === undefined) return;
      last.current = index;
      setChosen((before) => {
        const next = new Map(before);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      });
    },
    [rows],
  );
  const toggleRange = useCallback(
    (index: number) => {
      const [from, to] = [Math.min(last.current, index), Math.max(last.current, index)];
      last.current = index;
      setChosen((before) => new Map([...before, ...keyById(rows.slice(from, to + 1))]));
    },
    [rows],
  );
  const chooseAll = useCallback(() => setChosen(new Map(keyById(rows))), [rows]);
  const clear = useCallback(() => setChosen(new Map()), []);
  return { chosen, has: (id) => chosen.has(id), toggle, toggleRange, chooseAll, clear };
}

function keyById<Row extends Identified>(rows: readonly Row[]): [string, Row][] {
  return rows.map((row) => [row.id, row]);
}
