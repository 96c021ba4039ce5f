// What can be told of a database without changing it, whether or not it is one that this release could open.

import type { Procedure } from '../statement.ts';

/** Of a database that is a file. */
export interface FileInspection {
  readonly journalMode: string;
  read<Outcome>(procedure: Procedure<Outcome>): Outcome;
  /** The first thing that is wrong with the file; undefined where it is whole. */
  findDamage(): string | undefined;
  /** How many rows refer to rows that are not there. */
  countDeadReferences(): number;
  close(): void;
}

/** Of a database on a server. All that is read is of one moment. */
export interface ServerInspection {
  /** Such as `127.0.0.1:5432/galley`. */
  readonly place: string;
  /** Such as `18.4`. */
  readonly serverVersion: string;
  readonly encoding: string;
  /** Whether anything of ours is there. */
  readonly hasSchema: boolean;
  /** Whether `galley migrate-to` has begun to fill it and has not come to its end. */
  readonly hasUnfinishedCopy: boolean;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
}
