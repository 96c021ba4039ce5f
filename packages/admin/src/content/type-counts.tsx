import type { ManagedTypeBody, OverviewBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import classes from './type-counts.module.css';

interface TypeCountsProps {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
  readonly counts: OverviewBody['types'];
}

/** The most frequent first, each with a bar in proportion to the first. */
export function TypeCounts({ site, types, counts }: TypeCountsProps) {
  const names = new Map(types.map(({ handle, name }) => [handle, name]));
  const most = Math.max(1, ...counts.map(({ total }) => total));
  return (
    <ul className={classes.list}>
      {counts.map(({ content_type: type, total }) => (
        <li key={type}>
          <Link className={classes.row} to="/sites/$site/content" params={{ site }} search={{ content_type: type }}>
            <span className={classes.name}>{names.get(type) ?? type}</span>
            <span className={classes.count}>{total.toLocaleString('en')}</span>
            <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
              <rect className={classes.track} width="100" height="1" />
              <rect className={classes.fill} width={Math.max(1, (100 * total) / most)} height="1" />
            </svg>
          </Link>
        </li>
      ))}
    </ul>
  );
}
