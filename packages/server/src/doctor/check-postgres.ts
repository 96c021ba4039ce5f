// A PostgreSQL database: whether it can be reached, is one that we can use, and has the schema of this release.

import type { Consistency, ServerInspection } from '../storage/port.ts';
import { selectConsistency, selectCurrentVersion } from '../storage/port.ts';
import { type Check, type CheckParts, ok, problem, warn } from './check.ts';
import { describeVersion, LATE_MS } from './check-database.ts';

const OLDEST_VERSION = 15;

export interface PostgresChecks {
  readonly checks: readonly Check[];
  /** Undefined where the schema is another one. */
  readonly counts: Consistency | undefined;
}

export async function checkPostgres(inspection: ServerInspection, now: number): Promise<PostgresChecks> {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Database', name, ...parts });
  const server = [
    check('opening', ok(`${inspection.place} can be reached`)),
    check('server', checkServer(inspection)),
    check('encoding', checkEncoding(inspection)),
  ];
  if (!inspection.hasSchema) {
    const parts = warn(
      'there is no schema yet',
      'The first start creates it. If there should be one: is the URL right?',
    );
    return { checks: [...server, check('schema', parts)], counts: undefined };
  }
  if (inspection.hasUnfinishedCopy) {
    const parts = problem(
      'it contains an unfinished copy, so no service opens it',
      'Run galley migrate-to again, with the embedded database that is copied as GALLEY_DATABASE_URL.',
    );
    return { checks: [...server, check('schema', parts)], counts: undefined };
  }
  const { parts, isCurrent } = describeVersion(await inspection.read(selectCurrentVersion()), 'pg_dump');
  const counts = isCurrent ? await inspection.read(selectConsistency(now, now - LATE_MS)) : undefined;
  return { checks: [...server, check('schema', parts)], counts };
}

function checkServer({ serverVersion }: ServerInspection): CheckParts {
  if (Number.parseInt(serverVersion, 10) >= OLDEST_VERSION) return ok(`PostgreSQL ${serverVersion}`);
  return problem(`PostgreSQL ${serverVersion} is too old`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`);
}

function checkEncoding({ encoding }: ServerInspection): CheckParts {
  if (encoding === 'UTF8') return ok('UTF8');
  return problem(`it is ${encoding}`, 'Create the database anew: create database … encoding UTF8 template template0');
}
