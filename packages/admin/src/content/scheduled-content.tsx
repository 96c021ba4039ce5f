import type { ScheduledBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import classes from './short-list.module.css';

interface ScheduledContentProps {
  readonly site: string;
  readonly scheduled: readonly ScheduledBody[];
}

const SHOWN = 5;

export function ScheduledContent({ site, scheduled }: ScheduledContentProps) {
  if (scheduled.length === 0) return <Text c="dimmed">{DASHBOARD_TEXTS.nothingScheduled}</Text>;
  return (
    <ol className={classes.list}>
      {scheduled.slice(0, SHOWN).map(({ id, name, language, action, at }) => (
        <li key={`${id} ${action}`} className={classes.item}>
          <TextLink className={classes.name} to="/sites/$site/content/$id" params={{ site, id }} c="inherit">
            {name}
          </TextLink>
          <span>{DASHBOARD_TEXTS.actions[action]}</span>
          <span className={classes.about}>{language}</span>
          <span className={classes.about}>
            <TimeText value={at} withTime />
          </span>
        </li>
      ))}
    </ol>
  );
}
