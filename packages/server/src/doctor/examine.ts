// Runs all `galley doctor` checks: the settings, this Node.js, the database and its content. Nothing is changed.

import { readFileSync } from 'node:fs';
import { type DatabaseUrl, inspectSettings, loadEnvironment } from '../settings.ts';
import { DatabaseUnusable, StorageUnavailable } from '../storage/engine.ts';
import { inspectPostgres } from '../storage/postgres/open-postgres.ts';
import { inspectSqlite } from '../storage/sqlite/open-sqlite.ts';
import { type Check, problem } from './check.ts';
import { checkContent } from './check-content.ts';
import { checkDatabase, checkDatabaseFile, checkPostgres } from './check-database.ts';
import { checkEnvironment, checkSettings } from './check-environment.ts';

export async function examine(now: number): Promise<readonly Check[]> {
  const sources = { environment: process.env, envFile: loadEnvironment(process.cwd(), {}) };
  const settings = inspectSettings(sources, (path) => readFileSync(path, 'utf8'));
  return [
    ...checkSettings(settings),
    ...checkEnvironment(process.versions),
    ...(await examineDatabase(settings.databaseUrl, now)),
  ];
}

async function examineDatabase(databaseUrl: DatabaseUrl | undefined, now: number): Promise<readonly Check[]> {
  if (databaseUrl === undefined) {
    return [failDatabase('not checked, because GALLEY_DATABASE_URL is wrong', 'Correct the setting first.')];
  }
  if (databaseUrl.engine === 'postgres') return examineServer(databaseUrl.url, now);
  const { path } = databaseUrl;
  if (path === ':memory:') return [failDatabase('it must be a file', 'Set GALLEY_DATABASE_URL to sqlite:PATH.')];
  const { checks, canBeOpened } = checkDatabaseFile(path);
  return canBeOpened ? [...checks, ...examineFile(path, now)] : checks;
}

async function examineServer(url: string, now: number): Promise<readonly Check[]> {
  try {
    const { checks, counts } = await inspectPostgres(url, (inspection) => checkPostgres(inspection, now));
    return counts === undefined ? checks : [...checks, ...checkContent(counts)];
  } catch (error) {
    if (!(error instanceof DatabaseUnusable) && !(error instanceof StorageUnavailable)) throw error;
    return [
      failDatabase(
        error.message.replace(/\.$/, ''),
        'Check that the server is running and that GALLEY_DATABASE_URL is correct.',
      ),
    ];
  }
}

function examineFile(path: string, now: number): readonly Check[] {
  try {
    const inspection = inspectSqlite(path);
    try {
      const { checks, counts } = checkDatabase(inspection, now);
      return counts === undefined ? checks : [...checks, ...checkContent(counts)];
    } finally {
      inspection.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnusable) && !(error instanceof StorageUnavailable)) throw error;
    return [
      failDatabase(
        error.message.replace(/\.$/, ''),
        'Restore the newest backup, or set GALLEY_DATABASE_URL to the right file.',
      ),
    ];
  }
}

function failDatabase(message: string, advice: string): Check {
  return { group: 'Database', name: 'opening', ...problem(message, advice) };
}
