import { Counter, Gauge, type Registry } from 'prom-client';
import type { DatabaseFigures } from '../storage/port.ts';

/** Read when somebody looks. There are none where the database is no server. */
export function registerDatabaseMetrics(registry: Registry, readFigures: () => DatabaseFigures | undefined): void {
  if (readFigures() === undefined) return;
  const registers = [registry];
  new Gauge({
    name: 'galley_database_stamp_age_seconds',
    help: 'How long ago this node last knew that it had seen everything other nodes wrote.',
    aggregator: 'max',
    registers,
    collect() {
      const ageMs = readFigures()?.stampAgeMs;
      if (ageMs === undefined) this.reset();
      else this.set(ageMs / 1000);
    },
  });
  new Gauge({
    name: 'galley_database_listener_up',
    help: 'Whether the connection on which new writes are announced is there: 1 or 0.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(readFigures()?.isListening === true ? 1 : 0);
    },
  });
  new Counter({
    name: 'galley_database_failed_polls_total',
    help: 'How often the database did not answer when it was asked for its newest state.',
    registers,
    collect() {
      this.reset();
      this.inc(readFigures()?.failedPolls ?? 0);
    },
  });
  new Gauge({
    name: 'galley_database_connections',
    help: 'Connections of a pool, by their state; waiting are those who have none yet.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      const { pools = {}, replicas = [] } = readFigures() ?? {};
      const replicaPools = replicas.map(({ name, pool }) => [`replica ${name}`, pool] as const);
      for (const [pool, { total, idle, waiting }] of [...Object.entries(pools), ...replicaPools]) {
        this.set({ pool, state: 'total' }, total);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Gauge({
    name: 'galley_replica_up',
    help: 'Whether requests are read from a replica: 1 or 0.',
    labelNames: ['replica'],
    aggregator: 'min',
    registers,
    collect() {
      for (const { name, isUsed } of readFigures()?.replicas ?? []) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'galley_replica_lag_seconds',
    help: 'How long ago this node saw the oldest write that a replica still lacks.',
    labelNames: ['replica'],
    aggregator: 'max',
    registers,
    collect() {
      for (const { name, lagMs } of readFigures()?.replicas ?? []) this.set({ replica: name }, lagMs / 1000);
    },
  });
}

export function registerWriteMetrics(registry: Registry, isWritable: () => boolean): void {
  new Gauge({
    name: 'galley_storage_writable',
    help: 'Whether changes can be saved, as far as this node knows: 1, or 0 after a write failed on a full or faulty disk or a read-only database.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(isWritable() ? 1 : 0);
    },
  });
}
