// Keeps a mirror in a SQLite database. Every batch is one transaction, so the stored position always matches the stored objects, even if
// the process is killed.

import { DatabaseSync } from 'node:sqlite';
import type { ContentBody, MirrorBatch, MirrorStore } from '@galley/client';

const TABLES = `
  pragma journal_mode = wal;
  create table if not exists objects (
    id text primary key,
    type text not null,
    language text not null,
    uri text,
    body text not null,
    round integer not null
  );
  create table if not exists progress (round integer not null, position text);
  insert into progress select 0, null where not exists (select 1 from progress);
`;

export class SqliteStore implements MirrorStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 5000 });
    this.#database.exec(TABLES);
  }

  readPosition(): string | undefined {
    const row = this.#database.prepare('select position from progress').get();
    return typeof row?.position === 'string' ? row.position : undefined;
  }

  save(batch: MirrorBatch<ContentBody>): void {
    this.#database.exec('begin immediate');
    try {
      this.#write(batch);
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }

  #write({ put, remove, position, startsSync, endsSync }: MirrorBatch<ContentBody>): void {
    const database = this.#database;
    // Each full sync is a round. When a round ends, objects that still belong to an earlier round were not part of the
    // sync.
    if (startsSync) database.exec('update progress set round = round + 1');
    const insert = database.prepare('insert or replace into objects select ?, ?, ?, ?, ?, round from progress');
    for (const object of put) {
      const { id, content_type: type, language, uri } = object;
      insert.run(id, type.handle, language, uri, JSON.stringify(object));
    }
    const drop = database.prepare('delete from objects where id = ?');
    for (const id of remove) drop.run(id);
    if (endsSync) database.exec('delete from objects where round < (select round from progress)');
    database.prepare('update progress set position = ?').run(position);
  }

  close(): void {
    this.#database.close();
  }
}
