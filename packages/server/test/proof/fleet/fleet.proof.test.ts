// Puts the whole fleet under load while its parts fail one after the other. Readers of cached responses must not be affected, and nobody
// may see outdated content.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { MOST_CONNECTIONS } from '../../../src/storage/postgres/connections.ts';
import { reportProof } from '../../oracle/proof.ts';
import { countConnections } from './count-connections.ts';
import { awaitReplicas, FAULTS, LISTENERS_CUT, PRIMARY } from './faults.ts';
import { type Findings, findFaults } from './findings.ts';
import { FRESHNESS_MS, startFleet, urlOf } from './fleet.ts';
import { openLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import { startPublisher } from './publisher.ts';
import { renderReport } from './report.ts';

const REQUESTS_A_SECOND = 300;
/** Allows for the pause between two reads from a node and for the duration of a read. */
const MARGIN_MS = 500;
const RECOVERY_MS = 5000;
const LONGEST_REFUSAL_MS = 2000;
const NODES = 3;

describe('a fleet of three nodes on a primary and two replicas, which fail one after the other', () => {
  const ledger = openLedger();
  let errors: readonly string[];
  let findings: Findings;
  /** How long the machine kept this process waiting. Responses appear to arrive later by this amount. */
  const stalls = monitorEventLoopDelay({ resolution: 10 });

  beforeAll(async () => {
    stalls.enable();
    await using fleet = await startFleet();
    await awaitReplicas(fleet, fleet.replicas.length);
    const connections = countConnections(urlOf(fleet.primary), ledger);
    const load = startLoad(fleet, ledger, REQUESTS_A_SECOND);
    const publisher = startPublisher(fleet, ledger);
    try {
      for (const { name, carryOut } of FAULTS) {
        ledger.phase = name;
        await carryOut(fleet, ledger);
      }
    } finally {
      await publisher.stop();
      // The last publish also needs time to appear.
      await wait(FRESHNESS_MS + MARGIN_MS);
      await load.stop();
      await connections.stop();
    }
    stalls.disable();
    errors = fleet.nodes.flatMap((node) => node.errors);
    findings = findFaults(ledger, { freshnessMs: FRESHNESS_MS, recoveryMs: RECOVERY_MS, primary: PRIMARY });
    reportProof(renderReport(ledger, findings));
  });

  test('receives requests at the intended rate, and no reader misses a response', () => {
    const { startedAt = 0 } = ledger.readings[0] ?? {};
    const { endedAt = 0 } = ledger.readings.at(-1) ?? {};
    expect(ledger.readings.length).toBeGreaterThan(((endedAt - startedAt) / 1000) * REQUESTS_A_SECOND * 0.95);
    expect(ledger.faults).toEqual([]);
  });

  test('logs errors only for published changes whose outcome is unknown because the primary failed during the commit', () => {
    const isOutcomeUnknown = (line: string): boolean => line.includes('"type":"OutcomeUnknown"');
    expect(errors.filter((line) => !isOutcomeUnknown(line))).toEqual([]);
    const unknown = ledger.publishings.filter(({ outcome }) => outcome === 'unknown');
    expect(errors.filter(isOutcomeUnknown)).toHaveLength(unknown.length);
  });

  test('never returns an error for a cached read', () => {
    expect(findings.cachedErrors).toEqual([]);
    expect(ledger.readings.some(({ kind, isStale }) => kind === 'cached' && isStale)).toBe(true);
  });

  test('rejects a read only if no server can serve it, and does so within two seconds', () => {
    expect(findings.misplaced).toEqual([]);
    expect(findings.slowestRefusalMs).toBeGreaterThan(0);
    expect(findings.slowestRefusalMs - stalls.max / 1e6).toBeLessThanOrEqual(LONGEST_REFUSAL_MS);
  });

  test('shows each published change on each node within the time limit', () => {
    expect(findings.late).toEqual([]);
    expect(findings.unseen).toBe(0);
    expect(findings.delays.length).toBeGreaterThan(0);
    expect(findings.delays.filter(({ ms }) => ms > FRESHNESS_MS + MARGIN_MS)).toEqual([]);
  });

  test('never shows an older state to a reader that stays with one node, and returns no data from a server that has left the fleet', () => {
    expect(findings.backward).toEqual([]);
    expect(findings.foreign).toEqual([]);
  });

  test('rejects requests to publish only while the primary is down', () => {
    expect(ledger.publishings.some(({ outcome }) => outcome === 'refused')).toBe(true);
    expect(findings.wronglyRefused).toEqual([]);
  });

  test('recovers within five seconds after the lost servers return', () => {
    expect(ledger.recoveries.map(({ phase }) => phase)).toEqual(FAULTS.slice(1).map(({ name }) => name));
    for (const { ms } of ledger.recoveries) expect(ms).toBeLessThanOrEqual(RECOVERY_MS);
    expect(ledger.listenersCut).toBeGreaterThanOrEqual(LISTENERS_CUT);
  });

  test('opens no more connections to the primary than documented', () => {
    expect(ledger.mostConnections).toBeGreaterThan(0);
    expect(ledger.mostConnections).toBeLessThanOrEqual(NODES * MOST_CONNECTIONS.toPrimary);
  });
});
