import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  /** Left out where there is none. */
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** In a narrow place: values end where it does. */
  readonly isNarrow?: boolean;
}

/** What is known of a record and cannot be changed here. */
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
