import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  /** If null, the property is not shown. */
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** Whether space is tight. If so, values are aligned to the end. */
  readonly isNarrow?: boolean;
}

/** The read-only properties of a record. */
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
