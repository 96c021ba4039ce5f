// An answer that can be given again: its bytes, and each further form that it was asked for, made once. Nothing in it
// holds on to what it was made from.

import { Buffer } from 'node:buffer';
import type { Answer } from './answer.ts';
import { type AnswerForm, type AnswerFrame, buildForm } from './answer-form.ts';
import { type ContentEncoding, compress } from './content-encoding.ts';

/** Measured: shorter bodies leave faster as text, together with their headers, longer ones as bytes. */
const LONGEST_TEXT = 16 * 1024;
/** What an answer takes beside its bodies, about. */
const FORM_BYTES = 600;

export class KeptAnswer {
  readonly #frame: AnswerFrame;
  readonly #bytes: Buffer;
  readonly #isAscii: boolean;
  #plain: AnswerForm | undefined;
  #compressed: Map<ContentEncoding, AnswerForm | Promise<AnswerForm>> | undefined;
  #weight: number;
  #onGrown: (() => void) | undefined;

  /** @param common what all answers to the audience carry: names and values in turn */
  constructor({ body, isAscii, validator, link }: Answer, common: readonly string[]) {
    this.#frame = { validator: detach(validator), link: link && detach(link), common };
    this.#bytes = Buffer.from(body, isAscii ? 'latin1' : 'utf8');
    this.#isAscii = isAscii;
    this.#weight = this.#bytes.length + FORM_BYTES;
  }

  /** In bytes, before any compression. */
  get size(): number {
    return this.#bytes.length;
  }

  /** How much memory it takes, about. */
  get weight(): number {
    return this.#weight;
  }

  /** Whoever keeps it is told when it takes more memory than before. */
  whenGrown(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  /** Whoever asks for a form while it is being made waits for the same one. */
  form(encoding: ContentEncoding | undefined): AnswerForm | Promise<AnswerForm> {
    if (encoding === undefined) {
      this.#plain ??= this.#buildPlain();
      return this.#plain;
    }
    this.#compressed ??= new Map();
    const forms = this.#compressed;
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    const making = compress(this.#bytes, encoding).then(
      (bytes) => {
        const form = buildForm(this.#frame, bytes, bytes.length, encoding);
        forms.set(encoding, form);
        this.#grow(bytes.length);
        return form;
      },
      (error: unknown) => {
        forms.delete(encoding);
        throw error;
      },
    );
    forms.set(encoding, making);
    return making;
  }

  #buildPlain(): AnswerForm {
    const bytes = this.#bytes;
    if (!this.#isAscii || bytes.length > LONGEST_TEXT) return buildForm(this.#frame, bytes, bytes.length);
    this.#grow(bytes.length);
    return buildForm(this.#frame, bytes.toString('latin1'), bytes.length);
  }

  #grow(bytes: number): void {
    this.#weight += bytes + FORM_BYTES;
    this.#onGrown?.();
  }
}

/** A copy: a short text that was cut from a long one, or joined from several, would keep them all in memory. */
function detach(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
