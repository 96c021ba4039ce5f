// Questions of workers to the first process, which alone can ask all of them.

import type { Worker } from 'node:cluster';
import { isQuestion, isReply, type Question, type Reply, type Subject } from './worker-message.ts';

/** Longer than the first process waits for the workers. */
const LONGEST_WAIT_MS = 6_000;

export type AskFirstProcess = (about: Subject, accountNo?: number) => Promise<unknown>;

/** In a worker. */
export function openQuestions(): AskFirstProcess {
  const waiting = new Map<number, (reply: Reply) => void>();
  let count = 0;
  process.on('message', (message) => {
    if (isReply(message)) waiting.get(message.reply)?.(message);
  });
  return async (about, accountNo) => {
    count += 1;
    const question = count;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => resolve({ reply: question }), LONGEST_WAIT_MS);
    waiting.set(question, resolve);
    process.send?.({ question, about, accountNo } satisfies Question);
    const { value } = await promise;
    clearTimeout(timer);
    waiting.delete(question);
    if (value === undefined) throw new Error(`The first process gave no ${about}`);
    return value;
  };
}

/** In the first process. */
export function answerQuestions(
  answers: Readonly<Record<Subject, (question: Question) => Promise<unknown>>>,
): (worker: Worker, message: unknown) => void {
  return (worker, message) => {
    if (!isQuestion(message)) return;
    const reply = (value?: unknown): void => {
      if (worker.isConnected()) worker.send({ reply: message.question, value } satisfies Reply);
    };
    answers[message.about](message).then(reply, () => reply());
  };
}
