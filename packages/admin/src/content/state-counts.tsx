import type { OverviewBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import { TextLink } from '../elements/link-button.tsx';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import classes from './state-counts.module.css';

interface StateCountsProps {
  readonly site: string;
  readonly states: OverviewBody['states'];
}

/** Every content object is in one of them. Published content with changes is published; a schedule is no state. */
const ORDER = ['published', 'draft', 'unpublished', 'archived'] as const;

/** The total, and what it is made of. Each leads to the list of what it counts. */
export function StateCounts({ site, states }: StateCountsProps) {
  const total = ORDER.reduce((sum, status) => sum + states[status], 0);
  return (
    <ul className={classes.tiles} aria-label={DASHBOARD_TEXTS.states}>
      <li className={classes.tile}>
        <span className={classes.count}>{total.toLocaleString('en')}</span>
        <span className={classes.label}>{DASHBOARD_TEXTS.total}</span>
      </li>
      {ORDER.map((status) => (
        <li key={status} className={classes.tile}>
          <Link className={classes.link} to="/sites/$site/content" params={{ site }} search={{ status }}>
            <span className={classes.count}>{states[status].toLocaleString('en')}</span>
            <span className={classes.label}>{CONTENT_TEXTS.states[status]}</span>
          </Link>
          {status === 'published' && states.changed > 0 && (
            <TextLink
              className={classes.part}
              to="/sites/$site/content"
              params={{ site }}
              search={{ status: 'changed' }}
            >
              {DASHBOARD_TEXTS.changed(states.changed)}
            </TextLink>
          )}
        </li>
      ))}
    </ul>
  );
}
