// What stands in the way of a deletion: the content that the API names, as links to it.

import { useParams } from '@tanstack/react-router';
import { isConflict } from '../api/api-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TextLink } from './link-button.tsx';
import classes from './refused-uses.module.css';

const MOST_SHOWN = 8;

interface Use {
  readonly id: string;
  readonly name: string;
}

export function RefusedUses({ error }: { readonly error: Error }) {
  const { site } = useParams({ strict: false });
  const uses = listUses(error);
  if (site === undefined || uses.length === 0) return null;
  const shown = uses.slice(0, MOST_SHOWN);
  const others = countUses(error, uses) - shown.length;
  return (
    <ul className={classes.uses}>
      {shown.map(({ id, name }) => (
        <li key={id}>
          <TextLink to="/sites/$site/content/$id" params={{ site, id }} size="sm">
            {name}
          </TextLink>
        </li>
      ))}
      {others > 0 && <li>{SHELL_TEXTS.othersOf(others)}</li>}
    </ul>
  );
}

function listUses(error: Error): readonly Use[] {
  const contents = isConflict(error) ? error.details.contents : undefined;
  return Array.isArray(contents) ? contents.filter(isUse) : [];
}

function countUses(error: Error, uses: readonly Use[]): number {
  const total = isConflict(error) ? error.details.total : undefined;
  return typeof total === 'number' ? total : uses.length;
}

function isUse(value: unknown): value is Use {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
