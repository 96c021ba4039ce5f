// An answer that can be given again: its bytes, and each further form that it was asked for, made once. Nothing in it
// holds on to what it was made from.

import { Buffer } from 'node:buffer';
import type { Answer } from './answer.ts';
import { type AnswerForm, type AnswerFrame, buildForm } from './answer-form.ts';
import { type ContentEncoding, canCompress, compress } from './content-encoding.ts';

/** Measured: shorter bodies leave faster as text, together with their headers, longer ones as bytes. */
const LONGEST_TEXT = 16 * 1024;
/** What an answer takes beside its bodies, about. */
const FORM_BYTES = 600;
/** Used again and again: memory outside of the heap is freed late. */
const SCRATCH = Buffer.allocUnsafeSlow(LONGEST_TEXT);

export class KeptAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #frame: AnswerFrame;
  readonly #plain: AnswerForm;
  #compressed: Map<ContentEncoding, AnswerForm | Promise<AnswerForm>> | undefined;
  #weight: number;
  #onGrown: (() => void) | undefined;

  /** @param common what all answers to the audience carry: names and values in turn */
  constructor({ body, isAscii, validator, link }: Answer, common: readonly string[]) {
    const kept = typeof body === 'string' ? keepText(body, isAscii) : copyBytes(body);
    this.size = kept.length;
    this.#frame = { validator: detach(validator), link: link && detach(link), common };
    this.#plain = buildForm(this.#frame, 'hit', kept, kept.length);
    this.#weight = kept.length + FORM_BYTES;
  }

  /** How much memory it takes, about. */
  get weight(): number {
    return this.#weight;
  }

  /** Whoever keeps it is told when it takes more memory than before. */
  whenGrown(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  /** Whoever asks for a form while it is being made waits for the same one. The plain one where too much is being compressed. */
  form(encoding: ContentEncoding | undefined): AnswerForm | Promise<AnswerForm> {
    if (encoding === undefined) return this.#plain;
    this.#compressed ??= new Map();
    const forms = this.#compressed;
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    if (!canCompress(this.size)) return this.#plain;
    const { body, charset } = this.#plain;
    const making = compress(typeof body === 'string' ? Buffer.from(body, charset) : body, encoding).then(
      (compressed) => {
        const bytes = copyBytes(compressed);
        const form = buildForm(this.#frame, 'hit', bytes, bytes.length, encoding);
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

  #grow(bytes: number): void {
    this.#weight += bytes + FORM_BYTES;
    this.#onGrown?.();
  }
}

function keepText(text: string, isAscii: boolean): string | Buffer {
  if (isAscii && text.length <= LONGEST_TEXT) return detach(text);
  return copyBytes(Buffer.from(text, isAscii ? 'latin1' : 'utf8'));
}

/** A copy: Node cuts short buffers from a long one, which each of them would keep in memory as a whole. */
function copyBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A copy: a short text that was cut from a long one, or joined from several, would keep them all in memory. */
function detach(text: string): string {
  if (text.length > SCRATCH.length) return Buffer.from(text, 'latin1').toString('latin1');
  return SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
}
