// Receives the form of a call that includes files. The fields are checked before the first file is read, and each file goes to the store as
// it arrives. If anything is refused, nothing is kept.

import type { IncomingMessage } from 'node:http';
import { AuthoringRefusal, refuseFaults } from '../authoring/authoring-refusal.ts';
import { type Fault, joinMember } from '../content/fault.ts';
import { removeMarks } from '../content/marks.ts';
import { isPlainText, PLAIN_TEXT_RULE } from '../content/text-rules.ts';
import { freeChunks } from '../files/free-chunks.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import { discardRest, receiveUpload } from '../http/receive-upload.ts';
import { FormError, type FormPart, parseFormBoundary, readForm } from '../uploads/read-form.ts';
import type { TakenFile, UploadRules } from '../uploads/take-file.ts';
import type { Uploader } from '../uploads/uploader.ts';
import { parse, type ReceivedForm } from './answer-call.ts';
import { refuseUpload } from './refuse-upload.ts';
import type { Route } from './route.ts';

/** Whether the body is a form, well-formed or not. */
export function isForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}

/** After this many bytes, a call cannot contain any more files, because all of its files are temporary until the last one has arrived. */
const MOST_BYTES_TOGETHER = 2 * 1024 ** 3;

export interface FormReceiver {
  readonly form: NonNullable<Route['form']>;
  readonly rules: UploadRules;
  readonly uploader: Uploader;
}

/** The caller disposes of the files. */
export async function receiveForm(request: IncomingMessage, receiver: FormReceiver): Promise<DisposableForm> {
  const boundary = parseFormBoundary(request.headers['content-type']);
  if (boundary === undefined) throw new ProblemError(PROBLEMS.unsupportedMediaType);
  await using kept = new AsyncDisposableStack();
  const files: TakenFile[] = [];
  const reading = new FormFields(receiver.form);
  try {
    for await (const part of readForm(freeChunks(receiveUpload(request)), boundary)) {
      if (part.kind === 'field') {
        if (files.length > 0) throw refuseLateField(part.name);
        reading.add(part.name, removeMarks(part.value));
      } else {
        reading.finish();
        const fileName = removeMarks(part.fileName);
        files.push(kept.use(await takePart(receiver, { ...part, fileName }, files)));
      }
    }
  } catch (error) {
    throw error instanceof FormError ? refuseForm(error) : error;
  } finally {
    discardRest(request);
  }
  const fields = reading.finish();
  if (files.length === 0) {
    throw new AuthoringRefusal('The form contains no file. Send each file as a part with a file name.');
  }
  const held = kept.move();
  const digest = Buffer.from(JSON.stringify([reading.given, files.map(({ sha256, fileName }) => [sha256, fileName])]));
  return { fields, files, digest, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

export interface DisposableForm extends ReceivedForm, AsyncDisposable {}

async function takePart(
  { form, rules, uploader }: FormReceiver,
  { fileName, bytes }: Extract<FormPart, { kind: 'file' }>,
  earlier: readonly TakenFile[],
): Promise<TakenFile> {
  if (earlier.length >= form.mostFiles) {
    const most = form.mostFiles === 1 ? 'exactly one file' : `at most ${form.mostFiles} files`;
    throw new AuthoringRefusal(`The form must contain ${most}.`);
  }
  if (earlier.reduce((sum, file) => sum + file.bytes, 0) > MOST_BYTES_TOGETHER) {
    throw new AuthoringRefusal('Together, these files are too large. Upload fewer of them at once.', {
      reason: 'too_large',
    });
  }
  const taken = await uploader.take(bytes, fileName, rules);
  if (!taken.ok) throw refuseUpload(taken.problem, fileName);
  return taken.value;
}

/** Collects the fields and checks them once, before the first file. */
class FormFields {
  readonly #form: FormReceiver['form'];
  readonly #values = new Map<string, string[]>();
  #parsed: { readonly value: unknown } | undefined;

  constructor(form: FormReceiver['form']) {
    this.#form = form;
  }

  /** The fields as they were sent. */
  get given(): Readonly<Record<string, string | readonly string[]>> {
    return Object.fromEntries(
      [...this.#values].map(([name, values]) => [name, this.#form.lists.includes(name) ? values : (values[0] ?? '')]),
    );
  }

  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    this.#values.set(name, [...values, value]);
  }

  finish(): unknown {
    this.#parsed ??= { value: this.#parse() };
    return this.#parsed.value;
  }

  #parse(): unknown {
    const faults: Fault[] = [];
    for (const [name, values] of this.#values) {
      const path = joinMember('', name);
      if (values.length > 1 && !this.#form.lists.includes(name)) {
        faults.push({ path, message: 'must not be given twice', code: 'duplicate' });
      } else if (!values.every(isPlainText)) {
        faults.push({ path, message: `must be ${PLAIN_TEXT_RULE}` });
      }
    }
    if (faults.length > 0) throw refuseFaults(faults);
    return parse(this.#form.fields, this.given, '');
  }
}

function refuseLateField(name: string): AuthoringRefusal {
  const field = JSON.stringify(name.slice(0, 100));
  return new AuthoringRefusal(`The field ${field} comes after a file. Send all fields before the files.`, {
    reason: 'malformed',
  });
}

function refuseForm({ code, message }: FormError): AuthoringRefusal {
  return new AuthoringRefusal(message, { reason: code });
}
