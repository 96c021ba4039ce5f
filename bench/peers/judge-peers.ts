// The targets for the comparison: the ratio of Galley's request rate to that of its fastest peer.

import { type Chart, renderChart } from '../report/chart.ts';
import { median, medianRatio } from '../report/median.ts';
import { judge, type Verdict } from '../report/verdict.ts';
import { type PeerRates, TASKS } from './measure-peer.ts';

export interface MeasuredPeer {
  readonly name: string;
  readonly version: string;
  readonly rates: readonly PeerRates[];
}

const SIDES = [
  { side: 'repeated', section: "Repeated requests: rate as a multiple of the peer's", least: 50 },
  { side: 'firstTime', section: "First-time requests: rate as a multiple of the peer's", least: 20 },
] as const;

export function judgePeers(peers: readonly MeasuredPeer[]): readonly Verdict[] {
  return SIDES.flatMap(({ side, section, least }) =>
    peers.flatMap(({ name, version, rates }) =>
      rates.map((each) =>
        judge({
          section,
          what: `${name} ${version}, ${each.task}`,
          figure: median(each[side]),
          unit: '/s',
          yardstick: median(each.peer),
          ratio: medianRatio(each[side], each.peer),
          bar: { relation: '≥', value: least },
        }),
      ),
    ),
  );
}

const TONES = ['orange', 'violet', 'aqua', 'grey'] as const;

export function renderPeersChart(peers: readonly MeasuredPeer[], subtitle: string): string | undefined {
  if (peers.length === 0) return undefined;
  const pick = (task: PeerRates['task'], side: 'peer' | 'repeated' | 'firstTime', among = peers): number | null => {
    const rates = among.flatMap((peer) =>
      peer.rates.filter((each) => each.task === task).flatMap((each) => each[side]),
    );
    return rates.length === 0 ? null : median(rates);
  };
  const chart: Chart = {
    title: 'The same articles on Galley and on its peers',
    subtitle,
    unit: 'requests a second (each line is ten times the one below)',
    scale: 'log',
    series: [
      { name: 'Galley, repeated', tone: 'blue' },
      { name: 'Galley, first time', tone: 'paleblue' },
      ...peers.map(({ name, version }, at) => ({ name: `${name} ${version}`, tone: TONES[at] ?? 'grey' })),
    ],
    groups: TASKS.map((task) => ({
      label: task,
      values: [pick(task, 'repeated'), pick(task, 'firstTime'), ...peers.map((peer) => pick(task, 'peer', [peer]))],
    })),
  };
  return renderChart(chart);
}
