// Collects everything that is wrong with a bundle: faults, which prevent the import, and warnings, which do not. Each fault is reported
// only where it occurs: anything defined on a faulty line is suspect, and references to it are not reported as faults.

import type { Fault } from '../content/fault.ts';
import { BundleFault } from './read-bundle-lines.ts';

/** An error in a record, with the property or field that caused it. */
export interface RecordFault {
  readonly field: string | null;
  readonly message: string;
}

export interface RecordName {
  readonly kind: string;
  /** Null if the id could not be read. */
  readonly id: string | null;
}

export interface Finding extends RecordFault {
  /** 0 for the file as a whole. */
  readonly line: number;
  readonly record: RecordName | null;
}

/** The maximum number of faults, and of warnings, to list. */
export const MOST_FINDINGS = 100;

/** The bundle has faults, so none of it is imported. */
export class BundleRefusal extends Error {
  override readonly name = 'BundleRefusal';
  /** Ordered by line. */
  readonly faults: readonly Finding[];
  readonly hasMoreFaults: boolean;
  readonly warnings: Warnings;

  constructor(faults: readonly Finding[], hasMoreFaults: boolean, warnings: Warnings, options?: ErrorOptions) {
    super(faults.map((fault) => `line ${fault.line}: ${formatFinding(fault)}`).join('\n'), options);
    this.faults = faults;
    this.hasMoreFaults = hasMoreFaults;
    this.warnings = warnings;
  }
}

export interface Warnings {
  /** The first warnings, ordered by line. */
  readonly listed: readonly Finding[];
  readonly count: number;
}

/** Thrown to stop reading a bundle early. */
class ReportClosed extends Error {}

/** The objects that content can refer to: content types by handle, everything else by id. */
type SuspectKind = 'site' | 'content_type' | 'author' | 'asset' | 'content';
const SUSPECT_KINDS: readonly SuspectKind[] = ['site', 'content_type', 'author', 'asset', 'content'];

const NAMED_THING = /"(?:id|handle)"\s*:\s*"([\w-]{1,64})"/g;
/** The kind and the id come first in a record. */
const SEARCHED_CHARACTERS = 4096;

export class BundleReport {
  readonly #faults: Finding[] = [];
  readonly #lines = new Set<number>();
  readonly #suspects = new Set<string>();
  #warnings: Finding[] = [];
  #warningCount = 0;

  get hasFaults(): boolean {
    return this.#faults.length > 0;
  }

  /** Whether the line is known to be faulty. */
  hasLine(line: number): boolean {
    return this.#lines.has(line);
  }

  refuse(line: number, record: RecordName | null, faults: readonly RecordFault[]): void {
    if (faults.length > 0) this.#lines.add(line);
    for (const fault of faults) {
      this.#faults.push(buildFinding(line, record, fault));
      if (this.#faults.length > MOST_FINDINGS) throw new ReportClosed();
    }
  }

  /** Refuses a line that is not a record; everything that the line appears to define is suspect. */
  refuseText(line: number, text: string, record: RecordName | null, faults: readonly RecordFault[]): void {
    for (const [, name = ''] of text.slice(0, SEARCHED_CHARACTERS).matchAll(NAMED_THING)) {
      for (const kind of SUSPECT_KINDS) this.suspect(kind, name);
    }
    this.refuse(line, record, faults);
  }

  /** Ends the report after a fault that makes it pointless to read the rest of the file. */
  close(): never {
    throw new ReportClosed();
  }

  suspect(kind: SuspectKind, name: string): void {
    this.#suspects.add(`${kind} ${name}`);
  }

  isSuspect(kind: SuspectKind, name: string): boolean {
    return this.#suspects.size > 0 && this.#suspects.has(`${kind} ${name}`);
  }

  hasSuspectTypes(): boolean {
    return [...this.#suspects].some((suspect) => suspect.startsWith('content_type '));
  }

  warn(line: number, record: RecordName, faults: readonly RecordFault[]): void {
    this.#warningCount += faults.length;
    for (const fault of faults) this.#warnings.push(buildFinding(line, record, fault));
    // Faults that depend on other records are found last, regardless of their lines.
    if (this.#warnings.length > 2 * MOST_FINDINGS) this.#warnings = listFirst(this.#warnings);
  }

  get warnings(): Warnings {
    return { listed: listFirst(this.#warnings), count: this.#warningCount };
  }

  /** Returns the refusal for an import that ended with an error. Rethrows the error if the bundle did not cause it. */
  buildRefusal(error: unknown): BundleRefusal {
    if (error instanceof BundleFault) this.#addReadingFault(error);
    else if (!(error instanceof ReportClosed)) throw error;
    const hasMore = this.#faults.length > MOST_FINDINGS;
    return new BundleRefusal(
      listFirst(this.#faults),
      hasMore,
      this.warnings,
      error instanceof BundleFault ? { cause: error } : {},
    );
  }

  #addReadingFault({ line, message }: BundleFault): void {
    this.#faults.push({ line, record: null, field: null, message });
  }
}

function buildFinding(line: number, record: RecordName | null, { field, message }: RecordFault): Finding {
  return { line, record: record && { kind: record.kind, id: record.id }, field, message };
}

function listFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => a.line - b.line).slice(0, MOST_FINDINGS);
}

/** @param place where the values are in their record: at the top level, or in `draft.` */
export function placeFault({ path, message }: Fault, place: '' | 'draft.' = ''): RecordFault {
  const [, handle, rest] = /^fields\.(\w+)(?:\.(.*))?$/s.exec(path) ?? [];
  if (handle === undefined) return { field: path === '' ? null : `${place}${path}`, message };
  return { field: `${place}${handle}`, message: rest === undefined ? message : `${rest} ${message}` };
}

export function formatFinding({ record, field, message }: Omit<Finding, 'line'>): string {
  if (record === null) return field === null ? message : `${field} ${message}`;
  const name = record.id === null ? record.kind : `${record.kind} ${record.id}`;
  return field === null ? `${name}: ${message}` : `${name}, field ${field}: ${message}`;
}
