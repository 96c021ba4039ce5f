// The messages between the primary process and its workers: ready, stop, and questions that only the primary process
// can answer, because it can ask all workers.

import type { Worker } from 'node:cluster';
import { isJsonObject } from '../content/strict-json.ts';

export const STOP_MESSAGE = 'stop';

export interface ReadyMessage {
  /** The URL that the worker listens on. */
  readonly url: string;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return isJsonObject(message) && typeof message.url === 'string';
}

/** Only the primary process can provide these for all workers together. */
type Subject = 'metrics' | 'traffic';

interface Question {
  readonly question: number;
  readonly about: Subject;
  /** Set if the question is about an account. */
  readonly accountNo: number | undefined;
}

interface Reply {
  readonly reply: number;
  /** Undefined if the question could not be answered. */
  readonly value?: unknown;
}

function isQuestion(message: unknown): message is Question {
  return isJsonObject(message) && typeof message.question === 'number';
}

function isReply(message: unknown): message is Reply {
  return isJsonObject(message) && typeof message.reply === 'number';
}

/** This is longer than the primary process waits for its workers. */
const LONGEST_WAIT_MS = 6_000;

export type AskFirstProcess = (about: Subject, accountNo?: number) => Promise<unknown>;

/** Runs in a worker. */
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
    if (value === undefined) throw new Error(`The primary process did not return the ${about}`);
    return value;
  };
}

/** Runs in the primary process. */
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
