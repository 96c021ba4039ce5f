// A disk cache for variants and other files that can be generated again. Each is generated only once, even if many
// requests need it at the same time. If the folder exceeds its limit, the least recently used files are deleted; a file
// that is being read stays readable until it is closed. A file's modification time is the time of its last use, so that
// time survives a restart, and several processes can share a folder.

import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../content/result.ts';
import { FORMAT_TRAITS } from './output-format.ts';
import type { ImagePlan } from './plan-image.ts';

/** The caller must close the file. */
export interface OpenVariant {
  readonly file: FileHandle;
  readonly bytes: number;
}

export interface ImageVariantsOptions {
  readonly limitBytes: number;
  /** Called with errors from the clean-up, which runs in the background. */
  readonly onFault: (error: unknown) => void;
  readonly now?: () => number;
}

/** Writes a variant to the given path. */
export type MakeVariant<Problem> = (path: string) => Promise<Result<unknown, Problem>>;

interface Making {
  readonly result: Promise<Result<unknown, unknown>>;
  /** How many requests have not opened the variant yet. */
  waiting: number;
}

/** Increase this when the same plan produces a different picture. */
const RENDERING = 1;

/** How many digits at the start of a variant's name identify its original. */
const ORIGIN_DIGITS = 16;

/**
 * Returns the same name for equal pictures, whatever their URLs. The name starts with the first digits of the original's digest, so the
 * original's variants can be found.
 * @param picture the SHA-256 of the original
 * @param mark the SHA-256 of the mark's file
 */
export function buildVariantName(plan: ImagePlan, picture: string, mark: string | null): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([RENDERING, picture, mark, plan]))
    .digest('hex');
  return `${findVariantPrefix(picture)}${digest.slice(ORIGIN_DIGITS)}.${FORMAT_TRAITS[plan.format].extension}`;
}

/** The names of all variants of an original start with this. @param picture the SHA-256 of the original */
export function findVariantPrefix(picture: string): string {
  return picture.slice(0, ORIGIN_DIGITS);
}

const VARIANT_NAME = /^[0-9a-f]{64}\.[a-z]+$/;
const PART_SUFFIX = '.part';
/** No picture takes this long, so the process that wrote the file has ended. */
const ABANDONED_MS = 60 * 60 * 1000;
/** Times of last use are written at most this often. */
const TOUCH_MS = 60_000;
/** A clean-up leaves this share of the limit in use, so the next one is not needed right away. */
const KEPT_SHARE = 0.9;
/** A sweep also runs after this share of the limit has been written, because other processes may write to the folder too. */
const SWEEP_SHARE = 1 / 8;
/** Another process may delete a new variant before it is opened here, but that is unlikely to happen several times in a row. */
const MOST_TRIES = 5;

export class ImageVariants {
  readonly #folder: string;
  readonly #limitBytes: number;
  readonly #onFault: (error: unknown) => void;
  readonly #now: () => number;
  readonly #making = new Map<string, Making>();
  /** How many callers of `use` are working with a file. */
  readonly #held = new Map<string, number>();
  readonly #usedAt = new Map<string, number>();
  readonly #touchedAt = new Map<string, number>();
  #bytesAfterSweep = 0;
  #bytesWritten = 0;
  #hasReleased = false;
  #sweeping: Promise<void> | undefined;

  private constructor(folder: string, { limitBytes, onFault, now = Date.now }: ImageVariantsOptions) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
    this.#onFault = onFault;
    this.#now = now;
  }

  static async open(folder: string, options: ImageVariantsOptions): Promise<ImageVariants> {
    await mkdir(folder, { recursive: true });
    const variants = new ImageVariants(folder, options);
    await variants.#sweep();
    return variants;
  }

  /** Undefined if the variant does not exist. */
  async find(name: string): Promise<OpenVariant | undefined> {
    const path = this.#locate(name);
    let file: FileHandle;
    try {
      file = await open(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      const { size } = await file.stat();
      this.#recordUse(name, path);
      return { file, bytes: size };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async has(name: string): Promise<boolean> {
    const found = await this.find(name);
    await found?.file.close();
    return found !== undefined;
  }

  /** Finds the variant, waits for it if it is being generated, or generates it. */
  async findOrMake<Problem>(name: string, make: MakeVariant<Problem>): Promise<Result<OpenVariant, Problem>> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await this.#tryToFindOrMake(name, make);
      if (found !== undefined) return found;
    }
    throw new Error(`The variant ${name} was deleted ${MOST_TRIES} times before it could be opened`);
  }

  /** Undefined if another process deleted the variant before it could be opened. */
  async #tryToFindOrMake<Problem>(
    name: string,
    make: MakeVariant<Problem>,
  ): Promise<Result<OpenVariant, Problem> | undefined> {
    const existing = this.#making.has(name) ? undefined : await this.find(name);
    if (existing !== undefined) return ok(existing);
    const making = this.#making.get(name) ?? this.#start(name, make);
    making.waiting += 1;
    try {
      const made = await making.result;
      if (!made.ok) return fail(expectProblem<Problem>(made.problem));
      const variant = await this.find(name);
      if (variant !== undefined) return ok(variant);
      // A retry must not wait for work that is already done.
      this.#forgetMaking(name, making);
      return undefined;
    } finally {
      making.waiting -= 1;
      if (making.waiting === 0) this.#release(name, making);
    }
  }

  /** Makes the variant if necessary, and keeps its file in the folder while `work` runs. */
  async use<Value, Problem>(
    name: string,
    make: MakeVariant<Problem>,
    work: (path: string) => Promise<Value>,
  ): Promise<Result<Value, Problem>> {
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    try {
      const found = await this.findOrMake(name, make);
      if (!found.ok) return found;
      await found.value.file.close();
      return ok(await work(this.#locate(name)));
    } finally {
      const others = (this.#held.get(name) ?? 1) - 1;
      if (others > 0) this.#held.set(name, others);
      else this.#held.delete(name);
    }
  }

  /** Call this when a variant is used from memory. Otherwise it would count as unused. */
  noteUse(name: string): void {
    this.#recordUse(name, this.#locate(name));
  }

  /** Deletes the files whose names start with `prefix`. */
  async remove(prefix: string): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (name.startsWith(prefix)) await rm(join(this.#folder, name), { force: true });
    }
  }

  /** Waits for background work. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#making.values()].map(({ result }) => result));
    await this.#sweeping;
  }

  #locate(name: string): string {
    if (!VARIANT_NAME.test(name)) throw new Error(`${name} is not the name of a variant`);
    return join(this.#folder, name);
  }

  #start<Problem>(name: string, make: MakeVariant<Problem>): Making {
    const making: Making = { result: this.#make(name, make), waiting: 0 };
    this.#making.set(name, making);
    // A request that tries again after a failure must not get the same failure.
    const forget = (): void => this.#forgetMaking(name, making);
    making.result.then((made) => (made.ok ? undefined : forget()), forget);
    return making;
  }

  #forgetMaking(name: string, making: Making): void {
    if (this.#making.get(name) === making) this.#making.delete(name);
  }

  async #make<Problem>(name: string, make: MakeVariant<Problem>): Promise<Result<unknown, Problem>> {
    const path = this.#locate(name);
    const part = `${path}.${randomUUID()}${PART_SUFFIX}`;
    try {
      const made = await make(part);
      if (!made.ok) return made;
      const { size } = await stat(part);
      await rename(part, path);
      this.#bytesWritten += size;
      return made;
    } finally {
      await rm(part, { force: true });
    }
  }

  /** The variant is not deleted until every request has opened it. */
  #release(name: string, making: Making): void {
    this.#forgetMaking(name, making);
    this.#hasReleased = true;
    if (!this.#isOverLimit() && this.#bytesWritten <= this.#limitBytes * SWEEP_SHARE) return;
    this.#sweeping ??= this.#keepLimit();
  }

  #isOverLimit(): boolean {
    return this.#bytesAfterSweep + this.#bytesWritten > this.#limitBytes;
  }

  async #keepLimit(): Promise<void> {
    try {
      do {
        this.#hasReleased = false;
        await this.#sweep();
        // The sweep may have skipped variants that were released while it was running.
      } while (this.#hasReleased && this.#isOverLimit());
    } catch (error) {
      this.#onFault(error);
    } finally {
      this.#sweeping = undefined;
    }
  }

  #recordUse(name: string, path: string): void {
    const now = this.#now();
    this.#usedAt.set(name, now);
    if (now - (this.#touchedAt.get(name) ?? 0) < TOUCH_MS) return;
    this.#touchedAt.set(name, now);
    // If this fails, the only effect is that the variant looks too old after a restart.
    utimes(path, now / 1000, now / 1000).catch(() => {});
  }

  async #sweep(): Promise<void> {
    const startedAt = this.#now();
    this.#bytesWritten = 0;
    const variants = await this.#listVariants();
    let total = variants.reduce((sum, { bytes }) => sum + bytes, 0);
    const kept = total > this.#limitBytes ? this.#limitBytes * KEPT_SHARE : total;
    for (const { name, bytes } of variants.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (total <= kept) break;
      // The file may have been used since the list was made.
      const isInUse = this.#making.has(name) || this.#held.has(name) || (this.#usedAt.get(name) ?? 0) > startedAt;
      if (isInUse) continue;
      await rm(join(this.#folder, name), { force: true });
      total -= bytes;
    }
    this.#bytesAfterSweep = total;
    this.#forget(new Set(variants.map(({ name }) => name)), startedAt);
  }

  async #listVariants() {
    const variants: { readonly name: string; readonly bytes: number; readonly usedAt: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const file = await stat(path).catch(() => undefined);
      // Another process may have deleted the file.
      if (file === undefined) continue;
      if (VARIANT_NAME.test(name)) {
        variants.push({ name, bytes: file.size, usedAt: Math.max(file.mtimeMs, this.#usedAt.get(name) ?? 0) });
      } else if (name.endsWith(PART_SUFFIX) && this.#now() - file.mtimeMs > ABANDONED_MS) {
        await rm(path, { force: true });
      }
    }
    return variants;
  }

  #forget(existing: ReadonlySet<string>, before: number): void {
    for (const [name, usedAt] of this.#usedAt) {
      if (existing.has(name) || usedAt >= before) continue;
      this.#usedAt.delete(name);
      this.#touchedAt.delete(name);
    }
  }
}

/** All requests for the same variant pass functions that report the same type of problem. */
function expectProblem<Problem>(problem: unknown): Problem {
  return problem as Problem;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
