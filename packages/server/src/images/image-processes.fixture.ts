// An image process that does what a job's name says. It loads nothing, so it starts quickly.

import type { FromImageProcess, ToImageProcess } from './image-processes.ts';

process.on('disconnect', () => process.exit());
process.on('message', ({ no, job }: ToImageProcess) => {
  if (job.picture === 'end') process.exit(3);
  if (job.picture === 'run for ever') for (;;);
  if (job.picture === 'wait') return;
  const answer = { kind: 'unreadable', detail: `${job.picture} by ${process.pid}` } as const;
  process.send?.({ no, answer } satisfies FromImageProcess);
});
