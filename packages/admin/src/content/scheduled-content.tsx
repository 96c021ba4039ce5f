import type { ScheduledBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../languages/use-language-names.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import classes from './short-list.module.css';

interface ScheduledContentProps {
  readonly site: string;
  readonly scheduled: readonly ScheduledBody[];
  /** How many content objects have a schedule. */
  readonly total: number;
}

const SHOWN = 5;

export function ScheduledContent({ site, scheduled, total }: ScheduledContentProps) {
  const nameLanguage = useLanguageNames(site);
  if (scheduled.length === 0) return <Text c="dimmed">{DASHBOARD_TEXTS.nothingScheduled}</Text>;
  return (
    <>
      <ol className={classes.list}>
        {scheduled.slice(0, SHOWN).map(({ id, name, language, action, at }) => (
          <li key={`${id} ${action}`} className={classes.item}>
            <TextLink className={classes.name} to="/sites/$site/content/$id" params={{ site, id }} c="inherit">
              {name}
            </TextLink>
            <span>{DASHBOARD_TEXTS.actions[action]}</span>
            <span className={classes.about}>{nameLanguage(language)}</span>
            <span className={classes.about}>
              <TimeText value={at} withTime />
            </span>
          </li>
        ))}
      </ol>
      {total > SHOWN && (
        <LinkButton
          to="/sites/$site/content"
          params={{ site }}
          search={{ status: 'scheduled' }}
          variant="default"
          className={classes.all}
        >
          {DASHBOARD_TEXTS.allScheduled}
        </LinkButton>
      )}
    </>
  );
}
