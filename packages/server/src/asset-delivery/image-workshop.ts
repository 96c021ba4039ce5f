// Finds or generates variants. One folder holds everything that can be generated again, within one limit: variants,
// facts about each original, and copies of originals whose store is not on this machine. Variants can be shared with
// other nodes through the store.

import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { fail, ok, type Result } from '../content/result.ts';
import type { FileStore } from '../files/file-store.ts';
import { createTurns } from '../files/turns.ts';
import { invalidParameter, PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';
import type { ImageOutcome, ImagePool, JobTerms } from '../images/image-processes.ts';
import type { ImageSource } from '../images/image-source.ts';
import { findVariantPrefix, ImageVariants, type OpenVariant } from '../images/image-variants.ts';
import type { ImagePlan } from '../images/plan-image.ts';
import { encodeImageFacts, parseImageFacts } from './image-facts.ts';

export interface ImageWorkshopOptions {
  readonly store: FileStore;
  readonly log: Logger;
  readonly folder: string;
  readonly limitBytes: number;
  /** Whether variants are copied to the store for other nodes. Has no effect if the store is local. */
  readonly isShared: boolean;
  /** The caller closes the processes. */
  readonly processes: ImagePool;
}

export interface Variant {
  readonly name: string;
  readonly plan: ImagePlan;
  /** The SHA-256 of the original. */
  readonly picture: string;
  /** The SHA-256 of the mark's file. */
  readonly mark: string | null;
}

/** Called before a variant is generated. Returns a problem if the client may not request it. */
export type Admit = () => Promise<Result<VariantTerms, Problem>>;

export interface VariantTerms extends JobTerms {
  /** The problem reported to a client that is over its limit by the time a process is free for its variant. */
  readonly describeRefusal: () => Problem;
}

interface MakeProblem {
  readonly problem: Problem;
  /** Whether another client may succeed. */
  readonly isPersonal: boolean;
}

const MOST_SOURCES = 10_000;
/**
 * The maximum number of pictures waiting for their original or for a process. The processes have their own, lower limit, but do not wait
 * for originals.
 */
const MOST_UNDER_WAY = 200;
/** After a failed attempt, further attempts are refused for this long, so a hostile file cannot keep the processes busy. */
const HOPELESS_MS = 60_000;
const MOST_HOPELESS = 1000;
const COPIES_AT_ONCE = 4;
const MOST_COPIES_WAITING = 500;

const UNREADABLE = invalidParameter(
  'The file cannot be transformed, because it is damaged or in a format that this server cannot read.',
);
const LATE = withHeaders(PROBLEMS.serviceUnavailable, { 'retry-after': String(HOPELESS_MS / 1000) });

export class ImageWorkshop {
  readonly #options: ImageWorkshopOptions;
  readonly #processes: ImagePool;
  readonly #sources = new LRUCache<string, ImageSource>({ max: MOST_SOURCES });
  readonly #hopeless = new LRUCache<string, Problem>({ max: MOST_HOPELESS, ttl: HOPELESS_MS });
  readonly #copies = new Set<Promise<void>>();
  readonly #turns = createTurns();
  #opening: Promise<ImageVariants> | undefined;
  #files: ImageVariants | undefined;
  #underWay = 0;
  #made = 0;
  #copiesStarted = 0;

  constructor(options: ImageWorkshopOptions) {
    this.#options = options;
    this.#processes = options.processes;
  }

  /** For metrics. */
  get figures(): { readonly made: number; readonly underWay: number } {
    return { made: this.#made, underWay: this.#underWay };
  }

  /** The facts about an original that a plan needs. */
  async readSource(sha256: string): Promise<Result<ImageSource, Problem>> {
    const known = this.#sources.get(sha256);
    if (known !== undefined) return ok(known);
    const name = `${sha256}.json`;
    const hopeless = this.#hopeless.get(name);
    if (hopeless !== undefined) return fail(hopeless);
    const read = await this.#readFacts(sha256, name);
    if (read.ok) this.#sources.set(sha256, read.value);
    return read;
  }

  /** Call this when a variant is served from memory. */
  noteUse(name: string): void {
    this.#files?.noteUse(name);
  }

  /** The caller must close the file. */
  async findVariant(variant: Variant, admit: Admit): Promise<Result<OpenVariant, Problem>> {
    const { name } = variant;
    const hopeless = this.#hopeless.get(name);
    if (hopeless !== undefined) return fail(hopeless);
    const files = await this.#open();
    for (;;) {
      const own = { isTried: false, isRendered: false };
      const found = await files.findOrMake<MakeProblem>(name, async (path) => {
        own.isTried = true;
        if (await this.#copyFromStore(name, path)) return ok(name);
        const rendered = await this.#render(variant, path, admit);
        own.isRendered = rendered.ok;
        return rendered;
      });
      if (found.ok) {
        if (own.isRendered) this.#copyToStore(files, name);
        return found;
      }
      // The first request may have been refused for a reason that does not apply to this one.
      if (own.isTried || !found.problem.isPersonal) return fail(found.problem.problem);
    }
  }

  /** Deletes everything that was generated from an original, on this machine and in the store. */
  async forget(sha256: string): Promise<void> {
    const prefix = findVariantPrefix(sha256);
    this.#sources.delete(sha256);
    await (await this.#open()).remove(prefix);
    await this.#options.store.derived?.remove(prefix);
  }

  /** Close the processes first; otherwise this waits for the images that are being generated. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#copies);
    await this.#files?.close();
  }

  /** The folder is opened on first use, because looking through it takes time. */
  #open(): Promise<ImageVariants> {
    this.#opening ??= this.#openFolder().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openFolder(): Promise<ImageVariants> {
    const { folder, limitBytes, log } = this.#options;
    const onFault = (error: unknown): void => log.warn({ err: error }, 'old image variants could not be deleted');
    this.#files = await ImageVariants.open(folder, { limitBytes, onFault });
    return this.#files;
  }

  async #readFacts(sha256: string, name: string): Promise<Result<ImageSource, Problem>> {
    const files = await this.#open();
    for (;;) {
      const own = { isTried: false };
      const found = await files.findOrMake<Problem>(name, async (path) => {
        own.isTried = true;
        const outcome = await this.#withOriginal(sha256, (picture) => this.#processes.do({ kind: 'read', picture }));
        if (outcome.kind !== 'read') return fail(await this.#giveUp(name, outcome, sha256));
        return ok(await writeFile(path, encodeImageFacts(outcome.source)));
      });
      if (!found.ok) return found;
      const source = await readText(found.value).then(parseImageFacts);
      if (source !== undefined) return ok(source);
      if (own.isTried) throw new Error(`The stored metadata of the original ${sha256} cannot be read`);
      // An earlier release wrote the file, or the power failed while it was being written.
      await files.remove(name);
    }
  }

  async #render(variant: Variant, path: string, admit: Admit): Promise<Result<string, MakeProblem>> {
    const admitted = await admit();
    if (!admitted.ok) return fail({ problem: admitted.problem, isPersonal: true });
    const { name, plan, picture, mark } = variant;
    const terms = admitted.value;
    const render = (picturePath: string, markPath: string | null): Promise<ImageOutcome> =>
      this.#processes.do({ kind: 'render', plan, picture: picturePath, mark: markPath, output: path }, terms);
    const outcome = await this.#withOriginal(picture, (picturePath) =>
      mark === null
        ? render(picturePath, null)
        : this.#withOriginal(mark, (markPath) => render(picturePath, markPath), 'admitted'),
    );
    if (outcome.kind === 'rendered') {
      this.#made += 1;
      return ok(name);
    }
    if (outcome.kind === 'refused') return fail({ problem: terms.describeRefusal(), isPersonal: true });
    return fail({ problem: await this.#giveUp(name, outcome, picture), isPersonal: false });
  }

  /** Image processes receive paths, so a file from a remote store is copied first. The copy stays while a process reads it. */
  async #withOriginal(
    sha256: string,
    work: (path: string) => Promise<ImageOutcome | MissingFile>,
    entry: 'new' | 'admitted' = 'new',
  ): Promise<ImageOutcome | MissingFile> {
    if (entry === 'new' && this.#underWay >= MOST_UNDER_WAY) return { kind: 'overloaded' };
    this.#underWay += 1;
    try {
      const { store } = this.#options;
      const local = store.locate(sha256);
      if (local !== null) return await work(local);
      const files = await this.#open();
      const download = async (path: string): Promise<Result<unknown, MissingFile>> => {
        const reading = await store.read(sha256);
        if (reading === undefined) return fail({ kind: 'missing' });
        return ok(await pipeline(reading.stream, createWriteStream(path)));
      };
      const name = `${sha256}.original`;
      const used = await files.use(name, download, work);
      if (!used.ok) return used.problem;
      if (used.value.kind !== 'failed' || (await files.has(name))) return used.value;
      // Another process that shares the folder deleted the copy before the image process opened it.
      const again = await files.use(name, download, work);
      return again.ok ? again.value : again.problem;
    } finally {
      this.#underWay -= 1;
    }
  }

  async #giveUp(name: string, outcome: ImageOutcome | MissingFile, sha256: string): Promise<Problem> {
    const problem = await this.#describeFailure(outcome, sha256);
    const isHopeless = outcome.kind === 'unreadable' || outcome.kind === 'late' || outcome.kind === 'crashed';
    if (isHopeless) this.#hopeless.set(name, problem);
    return problem;
  }

  async #describeFailure(outcome: ImageOutcome | MissingFile, sha256: string): Promise<Problem> {
    const { log, store } = this.#options;
    switch (outcome.kind) {
      case 'unreadable':
        log.info({ file: sha256, detail: outcome.detail }, 'a file cannot be transformed');
        return UNREADABLE;
      case 'late':
      case 'crashed':
        log.warn({ file: sha256, outcome: outcome.kind }, 'an image process failed');
        return LATE;
      case 'missing':
        log.error({ file: sha256 }, 'an asset’s file is missing');
        return PROBLEMS.notFound;
      case 'failed':
        if (!(await store.has(sha256))) return this.#describeFailure({ kind: 'missing' }, sha256);
        log.error({ file: sha256, detail: outcome.detail }, 'an image could not be transformed');
        return PROBLEMS.serverError;
      default:
        return PROBLEMS.serviceUnavailable;
    }
  }

  async #copyFromStore(name: string, path: string): Promise<boolean> {
    const { store, isShared, log } = this.#options;
    if (!isShared || store.derived === null) return false;
    try {
      const reading = await store.derived.read(name);
      if (reading === undefined) return false;
      await pipeline(reading.stream, createWriteStream(path));
      return true;
    } catch (error) {
      // The variant can be generated without the store if its original is here.
      log.warn({ err: error }, 'image variants could not be read from the file store');
      return false;
    }
  }

  #copyToStore(files: ImageVariants, name: string): void {
    const { store, isShared, log } = this.#options;
    const { derived } = store;
    if (!isShared || derived === null || this.#copies.size >= MOST_COPIES_WAITING) return;
    this.#copiesStarted += 1;
    const copying: Promise<void> = this.#turns
      .take(String(this.#copiesStarted % COPIES_AT_ONCE), async () => {
        await files.use(
          name,
          async () => fail('deleted'),
          (path) => derived.put(name, path),
        );
      })
      .catch((error: unknown) => log.warn({ err: error }, 'an image variant could not be copied to the file store'))
      .finally(() => this.#copies.delete(copying));
    this.#copies.add(copying);
  }
}

interface MissingFile {
  readonly kind: 'missing';
}

async function readText({ file }: OpenVariant): Promise<string> {
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
