// Checks whether a database is intact: its pages, its foreign keys, and the consistency of the delivery tables.

import { DatabaseSync } from 'node:sqlite';

const MODELS = ['published', 'preview'] as const;
const NARROW_TABLES = ['texts', 'numbers', 'tokens', 'links'] as const;

export function findDatabaseFaults(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const count = (text: string): number => Number(Object.values(database.prepare(text).get() ?? {})[0]);
    const integrity = database.prepare('pragma integrity_check').all();
    const checks: [fault: string, count: number][] = [
      ['integrity_check', integrity.filter((row) => row.integrity_check !== 'ok').length],
      ['foreign_key_check', database.prepare('pragma foreign_key_check').all().length],
      ['published content that is not in the read model', count(PUBLISHED_WITHOUT_ROW)],
      ['rows of the read model whose content is not published', count(ROW_WITHOUT_PUBLISHED)],
      ['published content with a different time in the read model', count(OTHER_TIME)],
      ['content whose newest version is missing', count(WITHOUT_VERSION)],
      ['content that is missing from both read models', count(WITHOUT_ANY_ROW)],
      ...MODELS.flatMap((model) =>
        NARROW_TABLES.map((table): [string, number] => [
          `rows of ${model}_${table} without content`,
          count(`select count(*) from ${model}_${table}
            where content_no not in (select content_no from ${model}_contents)`),
        ]),
      ),
      ...(['texts', 'numbers'] as const).map((table): [string, number] => [
        `published content without its ${table}`,
        count(`select count(*) from published_contents as p
          where not exists (select 1 from published_${table} as v where v.content_no = p.content_no)`),
      ]),
    ];
    return checks.filter(([, found]) => found > 0).map(([fault, found]) => `${found} ${fault}`);
  } finally {
    database.close();
  }
}

const PUBLISHED_WITHOUT_ROW = `select count(*) from contents where (status = 'published' or published_version is not null)
  and no not in (select content_no from published_contents)`;
const ROW_WITHOUT_PUBLISHED = `select count(*) from published_contents
  where content_no not in (select no from contents where status = 'published' and published_version is not null)`;
const OTHER_TIME = `select count(*) from contents as c join published_contents as p on p.content_no = c.no
  where p.published_at is not c.published_at`;
const WITHOUT_VERSION = `select count(*) from contents as c where not exists
  (select 1 from content_versions as v where v.content_no = c.no and v.number = c.newest_version)`;
const WITHOUT_ANY_ROW = `select count(*) from contents where status <> 'archived'
  and no not in (select content_no from published_contents) and no not in (select content_no from preview_contents)`;
