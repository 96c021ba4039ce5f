import { expect, test } from 'vitest';
import { judgePeers, type MeasuredPeer, renderPeersChart } from './judge-peers.ts';

const PEER: MeasuredPeer = {
  name: 'Other',
  version: '1.0',
  rates: [{ task: 'object by id', peer: [100, 100, 100], repeated: [5000, 4000, 9000], firstTime: [1900, 1900, 2500] }],
};

test("compares the rates of repeated and first-time requests with the peer's rates", () => {
  expect(judgePeers([PEER]).map(({ what, ratio, holds }) => [what, ratio, holds])).toEqual([
    ['Other 1.0, object by id', 50, true],
    ['Other 1.0, object by id', 19, false],
  ]);
});

test('draws each peer next to Galley, and draws nothing if there are no peers', () => {
  const svg = renderPeersChart([PEER], 'a machine');
  expect(svg).toContain('object by id: Galley, repeated 5.0k, Galley, first time 1.9k, Other 1.0 100.');
  expect(renderPeersChart([], 'a machine')).toBeUndefined();
});
