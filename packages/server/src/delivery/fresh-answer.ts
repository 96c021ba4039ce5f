import type { Answer } from './answer.ts';
import { type AnswerForm, buildForm } from './answer-form.ts';
import { type ContentEncoding, canCompress } from './content-encoding.ts';
import { KeptAnswer } from './kept-answer.ts';

/** An answer just made. As it stands it goes out as the text that it is; everything else is left to a kept answer. */
export class FreshAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #answer: Answer;
  readonly #common: readonly string[];
  #kept: KeptAnswer | undefined;

  /** @param common what all answers to the audience carry: names and values in turn */
  constructor(answer: Answer, common: readonly string[]) {
    const { body, isAscii } = answer;
    this.size = isAscii || typeof body !== 'string' ? body.length : Buffer.byteLength(body);
    this.#answer = answer;
    this.#common = common;
  }

  form(encoding: ContentEncoding | undefined): AnswerForm | Promise<AnswerForm> {
    if (encoding !== undefined && canCompress(this.size)) return this.keep().form(encoding);
    const { body, validator, link } = this.#answer;
    return buildForm({ validator, link, common: this.#common }, 'miss', body, this.size);
  }

  /** Frees the memory of its bytes at once; V8 would wait for long. For an answer that has left and that nobody keeps. */
  release(): void {
    const { body } = this.#answer;
    if (typeof body !== 'string' && body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  }

  keep(): KeptAnswer {
    this.#kept ??= new KeptAnswer(this.#answer, this.#common);
    return this.#kept;
  }
}
