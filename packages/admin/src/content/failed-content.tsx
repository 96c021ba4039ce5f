import type { FailedContentBody, ManagedTypeBody } from '@galley/wire';
import { describeFault } from '../editor/say-fault.ts';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../languages/use-language-names.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import classes from './short-list.module.css';

interface FailedContentProps {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
  readonly failed: readonly FailedContentBody[];
  /** How many there are in all. */
  readonly total: number;
}

const SHOWN = 5;

/** Each with the first reason, and when it was to happen. */
export function FailedContent({ site, types, failed, total }: FailedContentProps) {
  const nameLanguage = useLanguageNames(site);
  return (
    <>
      <ol className={classes.list}>
        {failed.slice(0, SHOWN).map(({ id, name, content_type: handle, language, failed_schedule: schedule }) => (
          <li key={id} className={classes.item}>
            <TextLink className={classes.name} to="/sites/$site/content/$id" params={{ site, id }} c="inherit">
              {name}
            </TextLink>
            <span>{DASHBOARD_TEXTS.actions[schedule.action]}</span>
            <span className={classes.about}>{nameLanguage(language)}</span>
            <span className={classes.about}>
              <TimeText value={schedule.due_at} withTime />
            </span>
            <span className={classes.reason}>
              {describeReason(
                schedule,
                types.find((type) => type.handle === handle),
              )}
            </span>
          </li>
        ))}
      </ol>
      {total > SHOWN && (
        <LinkButton
          to="/sites/$site/content"
          params={{ site }}
          search={{ status: 'failed' }}
          variant="default"
          className={classes.all}
        >
          {DASHBOARD_TEXTS.allFailed(total)}
        </LinkButton>
      )}
    </>
  );
}

function describeReason(
  { message, errors }: FailedContentBody['failed_schedule'],
  type: ManagedTypeBody | undefined,
): string {
  const [first, ...others] = errors;
  if (first === undefined) return message;
  const reason = describeFault(first, type);
  return others.length === 0 ? reason : DASHBOARD_TEXTS.andMore(reason, others.length);
}
