// Determines which content records are translations of each other. A group is named after its first record, which is known only once
// the whole file has been read. Until then, existing content keeps its group, and new content is put into a provisional one.

import {
  findTranslation,
  type StoredContentRecord,
  selectGroup,
  selectRecord,
} from '../storage/contents/content-records.ts';
import type { Transaction } from '../storage/engine.ts';
import {
  announceMove,
  moveToGroup,
  type PublishedRow,
  parkGroup,
  selectPublishedGroupOf,
} from '../storage/publication/rewrite-content.ts';
import type { Procedure } from '../storage/statement.ts';
import type { BundleReport } from './bundle-report.ts';
import type { ContentLines } from './content-lines.ts';
import { withLine } from './content-lines.ts';
import type { ContentRecord } from './content-record.ts';

interface Member {
  readonly line: number;
  readonly siteNo: number;
  readonly record: Pick<ContentRecord, 'kind' | 'id' | 'language' | 'translation_of'>;
  /** The group in the database until the end of the import. */
  readonly group: string;
  readonly isWritten: boolean;
  /** Whether the group was named after this content before the import. */
  readonly wasFirst: boolean;
}

interface Move {
  readonly member: Member;
  readonly content: StoredContentRecord;
  readonly group: string;
}

interface MoveInProgress extends Move {
  /** The published members of the content's group before the first move. */
  readonly before: readonly PublishedRow[];
}

export class TranslationGroups {
  readonly #transaction: Transaction;
  readonly #lines: ContentLines;
  readonly #report: BundleReport;
  readonly #now: number;
  /** The translations in the file, and content that may be in the wrong group. */
  readonly #members = new Map<string, Member>();

  /** @param lines the lines of the content that has been read so far */
  constructor(transaction: Transaction, lines: ContentLines, report: BundleReport, now: number) {
    this.#transaction = transaction;
    this.#lines = lines;
    this.#report = report;
    this.#now = now;
  }

  /** Call this for content that the import does not change, although its group may still change. */
  keep(line: number, record: ContentRecord, existing: StoredContentRecord): void {
    this.#note(line, record, existing, existing, false);
  }

  /** Returns the provisional group for the content. */
  *place(
    line: number,
    record: ContentRecord,
    siteNo: number,
    existing: StoredContentRecord | undefined,
  ): Procedure<string> {
    const translationGroup = existing?.translationGroup ?? (yield* this.#guessGroup(record, siteNo));
    this.#note(line, record, { siteNo, translationGroup }, existing, true);
    return translationGroup;
  }

  /** Call this once all content has been written. Returns all content that has moved, including other records in its group. */
  async settle(): Promise<readonly { readonly siteNo: number; readonly wasLeftAlone: boolean }[]> {
    const moves: Move[] = [];
    for (const member of this.#members.values()) moves.push(...(await this.#planMoves(member)));
    // All content leaves its old group before any of it joins a new one, so content can also swap groups.
    const begun: MoveInProgress[] = [];
    for (const move of moves) {
      begun.push({ ...move, before: await this.#transaction.run(selectPublishedGroupOf(move.content)) });
      await this.#transaction.run(parkGroup(move.content));
    }
    for (const move of begun) await withLine(move.member.line, this.#move(move));
    for (const { content, before } of begun) {
      await this.#transaction.run(announceMove(content, before, this.#now));
    }
    return moves.map(({ member, content }) => ({
      siteNo: member.siteNo,
      wasLeftAlone: !member.isWritten && content.id === member.record.id,
    }));
  }

  #note(
    line: number,
    { kind, id, language, translation_of }: ContentRecord,
    current: Pick<StoredContentRecord, 'siteNo' | 'translationGroup'>,
    existing: StoredContentRecord | undefined,
    isWritten: boolean,
  ): void {
    const { siteNo, translationGroup: group } = current;
    if (translation_of === null && group === id) return;
    const record = { kind, id, language, translation_of };
    const wasFirst = existing?.translationGroup === id;
    this.#members.set(`${siteNo}/${id}`, { line, siteNo, record, group, isWritten, wasFirst });
  }

  *#guessGroup({ id, language, translation_of: of }: ContentRecord, siteNo: number): Procedure<string> {
    const original = of === null ? undefined : yield* selectRecord(siteNo, of);
    const group = original?.translationGroup ?? of ?? id;
    const twin = yield* findTranslation(siteNo, group, language, id);
    // Ids never contain a slash, so no other content is in this group.
    return twin === undefined ? group : `/${id}`;
  }

  async #planMoves(member: Member): Promise<readonly Move[]> {
    const { siteNo, record } = member;
    if (member.isWritten && !(await this.#hasGoodOriginal(member))) return [];
    const group = await this.#findFirst(member);
    if (group === undefined || group === member.group) return [];
    const content = await this.#transaction.run(selectRecord(siteNo, record.id));
    if (content === undefined) throw new Error(`Content ${record.id} disappeared during its import`);
    const others = member.wasFirst ? await this.#transaction.run(selectGroup(siteNo, record.id)) : [];
    const company = others.filter(({ no }) => !this.#lines.has(no));
    return [content, ...company].map((each) => ({ member, content: each, group }));
  }

  async #hasGoodOriginal(member: Member): Promise<boolean> {
    const { siteNo, record } = member;
    const of = record.translation_of;
    if (of === null) return true;
    if (this.#report.isSuspect('content', of)) return false;
    const own = await this.#transaction.run(selectRecord(siteNo, record.id));
    const original = await this.#transaction.run(selectRecord(siteNo, of));
    if (original === undefined) return this.#refuse(member, `content ${of} does not exist`);
    if (own?.typeNo !== original.typeNo) return this.#refuse(member, `${of} has a different content type`);
    if (record.language !== original.language) return true;
    return this.#refuse(member, `${of} is in the same language, ${record.language}`);
  }

  #refuse({ line, record }: Member, message: string): false {
    this.#report.suspect('content', record.id);
    this.#report.refuse(line, record, [{ field: 'translation_of', message }]);
    return false;
  }

  /** Follows the originals back to the first record; returns undefined if they form a circle. */
  async #findFirst(member: Member): Promise<string | undefined> {
    const { siteNo, record } = member;
    const seen = new Set<string>();
    let current: string = record.id;
    let next = record.translation_of;
    while (next !== null) {
      seen.add(current);
      if (seen.has(next)) {
        this.#refuse(member, `${record.translation_of} is part of a circular chain of translations`);
        return undefined;
      }
      current = next;
      next = await this.#findOriginal(siteNo, current);
    }
    return current;
  }

  /** Returns the original named in the file or, for content that is not in the file, the first record of its group. */
  async #findOriginal(siteNo: number, id: string): Promise<string | null> {
    const content = await this.#transaction.run(selectRecord(siteNo, id));
    if (content !== undefined && this.#lines.has(content.no)) {
      return this.#members.get(`${siteNo}/${id}`)?.record.translation_of ?? null;
    }
    return content === undefined || content.translationGroup === id ? null : content.translationGroup;
  }

  async #move({ member, content, group }: Move): Promise<void> {
    const { siteNo, record } = member;
    const { id, language } = content;
    const twin = await this.#transaction.run(findTranslation(siteNo, group, language, id));
    if (twin === undefined) return this.#transaction.run(moveToGroup(content, group));
    if (this.#report.isSuspect('content', twin)) return;
    const isArchived = (await this.#transaction.run(selectRecord(siteNo, twin)))?.status === 'archived';
    const holder = isArchived ? `${twin}, which is archived,` : twin;
    const of = record.translation_of;
    if (of === null) {
      this.#report.refuse(member.line, record, [
        { field: 'language', message: `${holder} is already its ${language} version` },
      ]);
      return;
    }
    const reason =
      id === record.id
        ? `${holder} is its ${language} version`
        : `its translation ${id} cannot move with it, because ${holder} is already the ${language} version there`;
    this.#refuse(member, `${of}: ${reason}`);
  }
}
