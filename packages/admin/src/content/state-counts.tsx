import type { OverviewBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import classes from './state-counts.module.css';

interface StateCountsProps {
  readonly site: string;
  readonly states: OverviewBody['states'];
}

const ORDER = ['published', 'changed', 'draft', 'scheduled', 'unpublished', 'archived'] as const;

/** Each leads to the list of what it counts. */
export function StateCounts({ site, states }: StateCountsProps) {
  return (
    <ul className={classes.tiles} aria-label={DASHBOARD_TEXTS.states}>
      {ORDER.map((status) => (
        <li key={status}>
          <Link className={classes.tile} to="/sites/$site/content" params={{ site }} search={{ status }}>
            <span className={classes.count}>{states[status].toLocaleString('en')}</span>
            <span className={classes.label}>{CONTENT_TEXTS.states[status]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
