import type { ManagedTypeBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../languages/use-language-names.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import { recentQuery } from './content-queries.ts';
import classes from './short-list.module.css';
import { StateLabel } from './state-label.tsx';

interface RecentContentProps {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
}

export function RecentContent({ site, types }: RecentContentProps) {
  const nameLanguage = useLanguageNames(site);
  const { data: rows } = useSuspenseQuery(recentQuery(site));
  const names = new Map(types.map(({ handle, name }) => [handle, name]));
  return (
    <>
      <ul className={classes.list}>
        {rows.map(({ id, name, content_type: type, language, updated_at: at, ...row }) => (
          <li key={id} className={classes.item}>
            <TextLink className={classes.name} to="/sites/$site/content/$id" params={{ site, id }} c="inherit">
              {name}
            </TextLink>
            <StateLabel
              state={row.state}
              publish_at={row.publish_at}
              unpublish_at={row.unpublish_at}
              failed_schedule={row.failed_schedule}
            />
            <span className={classes.about}>{[names.get(type) ?? type, nameLanguage(language)].join(' · ')}</span>
            <span className={classes.about}>
              <TimeText value={at} withTime />
            </span>
          </li>
        ))}
      </ul>
      <LinkButton to="/sites/$site/content" params={{ site }} variant="default" className={classes.all}>
        {DASHBOARD_TEXTS.allContent}
      </LinkButton>
    </>
  );
}
