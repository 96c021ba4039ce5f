import { expect, test } from 'vitest';
import { buildIpxPath, buildQuery, listJobs } from './image-jobs.ts';

test('no job occurs twice, even in different rounds, and all widths are close to 720', () => {
  const jobs = [0, 1, 2].flatMap((round) => listJobs(round, 41));
  expect(new Set(jobs.map(buildQuery)).size).toBe(3 * 41 * 2);
  const widths = jobs.map(({ width }) => width);
  expect([Math.min(...widths), Math.max(...widths)]).toEqual([700, 740]);
});

test('both servers get the same job', () => {
  const [job] = listJobs(0, 1);
  if (job === undefined) throw new Error('There is no job');
  expect(buildQuery(job)).toBe('w=720&q=80&fm=jpg');
  expect(buildIpxPath(job, 'photo.jpg')).toBe('/w_720,q_80,f_jpeg/photo.jpg');
});
