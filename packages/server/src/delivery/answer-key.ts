// What an answer is found by. Nothing that an answer depends on may be missing here.

import { readRawQuery } from '../http/request-target.ts';
import { hasOnly, LIST_PARAMETERS, OBJECT_PARAMETERS } from '../listing/query-parameters.ts';

/** All that an answer depends on beside the site, what there is to read, and the address that was asked. */
export interface Edition {
  readonly kind: 'object' | 'cursors' | 'pages';
  readonly language: string | undefined;
  /** Of the addresses in the answer; undefined where it has none. */
  readonly baseUrl: string | undefined;
}

/** The parameters that make a difference; a list repeats the others in its links. */
const READ_PARAMETERS: Readonly<Record<Edition['kind'], ReadonlySet<string>>> = {
  object: OBJECT_PARAMETERS,
  cursors: LIST_PARAMETERS.difference(new Set(['page'])),
  pages: LIST_PARAMETERS.difference(new Set(['cursor'])),
};

export class AnswerKey {
  readonly siteId: string;
  readonly generation: number;
  readonly text: string;
  /** Of what was asked, whatever the generation. */
  readonly digest: number;
  readonly url: string;
  readonly kind: Edition['kind'];

  constructor(siteId: string, generation: number, edition: Edition, url: string) {
    this.siteId = siteId;
    this.generation = generation;
    const start = findStart(siteId, generation, edition);
    this.kind = edition.kind;
    this.url = url;
    this.text = start.text + url;
    this.digest = digestText(url, start.digest);
  }

  /** Whether the address has parameters that nobody reads: there are as many such addresses as anybody cares to invent. */
  get hasUnread(): boolean {
    return !hasOnly(readRawQuery(this.url), READ_PARAMETERS[this.kind]);
  }
}

/** What the keys of an edition begin with. */
interface KeyStart extends Edition {
  readonly siteId: string;
  readonly generation: number;
  readonly text: string;
  /** Of all that is not the generation. */
  readonly digest: number;
}

/** Most requests ask for the edition that the one before asked for. */
let last: KeyStart | undefined;

function findStart(siteId: string, generation: number, { kind, language, baseUrl }: Edition): KeyStart {
  const isSame =
    last !== undefined &&
    last.generation === generation &&
    last.siteId === siteId &&
    last.kind === kind &&
    last.language === language &&
    last.baseUrl === baseUrl;
  if (last === undefined || !isSame) {
    // The parts come from headers and addresses, in which no line can end.
    const asked = `${siteId}\n${kind}\n${language ?? ''}\n${baseUrl ?? ''}\n`;
    last = { siteId, generation, kind, language, baseUrl, text: `${generation}\n${asked}`, digest: digestText(asked) };
  }
  return last;
}

const NO_DIGEST = 0x811c9dc5;

/** FNV-1a. @param before of the text that this one follows */
function digestText(text: string, before = NO_DIGEST): number {
  let digest = before;
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  return digest >>> 0;
}
