// npm run bench:peers: loads the same articles into other content systems and puts them under the same load. A system that cannot be
// installed or started is skipped, and the reason is printed.

import { join } from 'node:path';
import { runBenchmark, tell } from '../benchmark-command.ts';
import { runGalley } from '../galley-process.ts';
import { chooseLoad } from '../load/choose-load.ts';
import { openSite } from '../open-site.ts';
import { writeFigures } from '../report/figure-blocks.ts';
import { describeMachine, describeOrigin, findReportFile, writeReport } from '../report/report-file.ts';
import { renderTable } from '../report/table.ts';
import type { Scratch } from '../scratch.ts';
import { judgePeers, type MeasuredPeer, renderPeersChart } from './judge-peers.ts';
import { measurePeer } from './measure-peer.ts';
import { PEERS_USAGE, type PeerOptions, parsePeerOptions } from './options.ts';
import { preparePeer } from './peer-folder.ts';
import { startPeer } from './start-peer.ts';

interface Skipped {
  readonly name: string;
  readonly version: string;
  readonly why: string;
}

async function compare(options: PeerOptions, scratch: Scratch): Promise<void> {
  const startedAt = new Date();
  const machine = describeMachine();
  const load = chooseLoad(scratch, options.connections, undefined);
  const site = await openSite(scratch, { content: 'site', size: options.articles }, options.keptIn, tell);
  const measured: MeasuredPeer[] = [];
  const skipped: Skipped[] = [];
  for (const peer of options.peers) {
    const { name, version } = peer;
    const folder = join(options.keptIn ?? scratch.folder, name.toLowerCase());
    try {
      tell(`${name} ${version}: installing and loading, in ${folder}`);
      await preparePeer(scratch, peer, folder, options.articles);
      const running = await startPeer(scratch, peer, folder);
      tell(`${name} ${version}: measuring`);
      try {
        measured.push({ name, version, rates: await measurePeer(site, peer, running, { load, ...options }) });
      } finally {
        await running.stop();
      }
    } catch (error) {
      const why = error instanceof Error ? describe(error) : String(error);
      skipped.push({ name, version, why });
      tell(`${name} ${version} was skipped. ${why}`);
    }
  }
  await site.galley.stop();
  const verdicts = judgePeers(measured);
  process.stdout.write(`\n${renderTable(verdicts, false)}`);
  for (const { name, version, why } of skipped) process.stdout.write(`\nLeft out: ${name} ${version}. ${why}\n`);
  const out = options.out ?? (options.isPartial ? undefined : findReportFile('peers', startedAt));
  if (out === undefined) return;
  const origin = {
    kind: 'peers',
    date: startedAt.toISOString(),
    command: 'npm run bench:peers',
    machine,
    versions: {
      Galley: (await runGalley(scratch, 'sqlite:none.db', ['--version'])).output.trim(),
      'Node.js': process.version,
      'load by': load.tool,
    },
  } as const;
  const { articles, connections, rounds, seconds, ownSeconds } = options;
  const method = { articles, connections, rounds, seconds, own_seconds: ownSeconds };
  const svg = renderPeersChart(measured, describeOrigin(origin));
  const files = writeReport(out, { ...origin, method, verdicts, skipped, peers: measured }, [
    { name: 'comparison', svg },
  ]);
  tell(`results are in ${files.join(', ')}`);
  if (options.writesDocs) writeFigures(out);
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}

await runBenchmark({ usage: PEERS_USAGE, parse: parsePeerOptions, run: compare });
