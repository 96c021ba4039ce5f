// The number of content objects on a site, by status and by type. Each number links to the matching list.

import type { ManagedTypeBody, OverviewBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import { TextLink } from '../elements/link-button.tsx';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import stateClasses from './state-counts.module.css';
import typeClasses from './type-counts.module.css';

interface StateCountsProps {
  readonly site: string;
  readonly states: OverviewBody['states'];
}

/**
 * Every content object is in exactly one of these states. Published content with changes counts as published; a schedule is not a state.
 */
const ORDER = ['published', 'draft', 'unpublished', 'archived'] as const;

export function StateCounts({ site, states }: StateCountsProps) {
  const total = ORDER.reduce((sum, status) => sum + states[status], 0);
  return (
    <ul className={stateClasses.tiles} aria-label={DASHBOARD_TEXTS.states}>
      <li className={stateClasses.tile}>
        <span className={stateClasses.count}>{total.toLocaleString('en')}</span>
        <span className={stateClasses.label}>{DASHBOARD_TEXTS.total}</span>
      </li>
      {ORDER.map((status) => (
        <li key={status} className={stateClasses.tile}>
          <Link className={stateClasses.link} to="/sites/$site/content" params={{ site }} search={{ status }}>
            <span className={stateClasses.count}>{states[status].toLocaleString('en')}</span>
            <span className={stateClasses.label}>{CONTENT_TEXTS.states[status]}</span>
          </Link>
          {status === 'published' && states.changed > 0 && (
            <TextLink
              className={stateClasses.part}
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

interface TypeCountsProps {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
  readonly counts: OverviewBody['types'];
}

/** Lists the types, most common first. Each has a bar that shows its count relative to that of the most common type. */
export function TypeCounts({ site, types, counts }: TypeCountsProps) {
  const names = new Map(types.map(({ handle, name }) => [handle, name]));
  const most = Math.max(1, ...counts.map(({ total }) => total));
  return (
    <ul className={typeClasses.list}>
      {counts.map(({ content_type: type, total }) => (
        <li key={type}>
          <Link className={typeClasses.row} to="/sites/$site/content" params={{ site }} search={{ content_type: type }}>
            <span className={typeClasses.name}>{names.get(type) ?? type}</span>
            <span className={typeClasses.count}>{total.toLocaleString('en')}</span>
            <svg className={typeClasses.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
              <rect className={typeClasses.track} width="100" height="1" />
              <rect className={typeClasses.fill} width={Math.max(1, (100 * total) / most)} height="1" />
            </svg>
          </Link>
        </li>
      ))}
    </ul>
  );
}
