import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  /** Null leaves the fact out. */
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** In a narrow place, values are aligned at the end. */
  readonly isNarrow?: boolean;
}

/** What cannot be changed about a record. */
export function Facts({ facts, isNarrow = false }: FactsProps) {
  return (
    <dl className={classes.facts} data-narrow={isNarrow || undefined}>
      {facts.map(
        ({ name, value }) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
