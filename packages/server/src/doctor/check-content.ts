// Checks that readers can read the content that editors published, that someone can sign in, and that an API key works.

import { PROGRAM } from '../program-name.ts';
import type { Consistency } from '../storage/inspection.ts';
import { type Check, type CheckParts, ok, problem, warn } from './check.ts';

const EXPORT = `${PROGRAM} export --site ID --out FILE`;
const REBUILD = `Export the site and import it into a new database: ${EXPORT}`;
/** An import rebuilds the text for readers from the saved versions. */
const RESTORE_TEXTS = `The disk may be failing. Restore the newest backup that passes the checks. If there is none, export the site and import it into a new database: ${EXPORT}. Then check these objects, since their saved versions may be damaged too.`;

export function checkContent(counts: Consistency): readonly Check[] {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Content', name, ...parts });
  return [
    check('sites', checkSites(counts)),
    check('published', checkPublished(counts)),
    check('previews', checkPreviews(counts)),
    check('stored text', checkTexts(counts)),
    check('required values', checkRequired(counts)),
    check('versions', checkVersions(counts)),
    check('counts', checkCounts(counts)),
    check('schedules', checkSchedules(counts)),
    check('owners', checkOwners(counts)),
    check('API keys', checkKeys(counts)),
  ];
}

function checkSites({ sites, contents, unfinished_deletion: unfinished }: Consistency): CheckParts {
  if (unfinished !== null) {
    return warn(
      `the deletion of site ${unfinished} has not finished`,
      `If it is not running, resume it: ${PROGRAM} site delete ${unfinished}`,
    );
  }
  if (sites === 0) return warn('there are no sites', `Create one: ${PROGRAM} site create --name NAME`);
  return ok(`${count(sites, 'site')} with ${count(contents, 'content object')}`);
}

function checkPublished({
  published,
  published_missing: missing,
  published_extra: extra,
  values_orphaned,
}: Consistency) {
  if (missing > 0) return problem(`readers cannot read ${count(missing, 'published content object')}`, REBUILD);
  if (extra > 0)
    return problem(`readers can read ${count(extra, 'content object')} that should not be public`, REBUILD);
  if (values_orphaned > 0) return problem(`${count(values_orphaned, 'value')} without content`, REBUILD);
  return ok(`${count(published, 'content object')}, all readable`);
}

function checkPreviews({ preview_wrong: wrong }: Consistency): CheckParts {
  if (wrong > 0) return problem(`previews of ${count(wrong, 'content object')} are wrong`, REBUILD);
  return ok('previews show the latest versions');
}

function checkTexts({ damaged: { published, preview } }: Consistency): CheckParts {
  if (published.total + preview.total === 0) return ok('all stored text matches its digest');
  const parts = [
    published.total === 0 ? [] : [`${count(published.total, 'published object')} damaged: ${listIds(published)}`],
    preview.total === 0 ? [] : [`${count(preview.total, 'draft')} damaged: ${listIds(preview)}`],
  ];
  return problem(parts.flat().join('; '), RESTORE_TEXTS);
}

function listIds({ total, ids }: { readonly total: number; readonly ids: readonly string[] }): string {
  const rest = total > ids.length ? ` and ${total - ids.length} more` : '';
  return `${ids.join(', ')}${rest}`;
}

/** Content may have been published before its field became required. */
function checkRequired({ lacking: { total, contents } }: Consistency): CheckParts {
  if (total === 0) return ok('published content has every required value');
  const ids = listIds({ total, ids: contents.map(({ id }) => id) });
  const message = `${count(total, 'published content object')} without a required value: ${ids}`;
  return warn(
    message,
    'Add the value and publish the content, or make the field optional: the generated types rely on required values.',
  );
}

function checkVersions({ versions_missing: missing }: Consistency): CheckParts {
  if (missing > 0)
    return problem(`${count(missing, 'version')} missing`, 'Restore the newest backup that passes the checks.');
  return ok('no version is missing');
}

function checkCounts({ counts_wrong: wrong }: Consistency): CheckParts {
  if (wrong > 0) return problem(`${count(wrong, 'dashboard figure')} wrong`, REBUILD);
  return ok('the dashboard figures are correct');
}

function checkSchedules({ schedules_overdue: overdue }: Consistency): CheckParts {
  if (overdue === 0) return ok('none overdue');
  return warn(
    `${count(overdue, 'schedule')} overdue`,
    `If the service is not running, start it to catch up: ${PROGRAM} serve`,
  );
}

function checkOwners({ owners, users }: Consistency): CheckParts {
  if (owners > 0) return ok(`${count(owners, 'owner')} among ${count(users, 'user')}`);
  // While there are no users, the set-up link works too.
  const link = users === 0 ? `, or open the link that ${PROGRAM} setup-link prints` : '';
  return warn(
    'nobody can sign in as an owner',
    `Create one: ${PROGRAM} user create --email E --name N --role owner${link}`,
  );
}

function checkKeys({ keys_working: working, sites }: Consistency): CheckParts {
  if (working > 0 || sites === 0) return ok(`${working === 1 ? '1 key works' : `${working} keys work`}`);
  return warn('no API key works', `Create one: ${PROGRAM} key create --all-sites`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
