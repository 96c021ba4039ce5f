// Converts formatted text on the clipboard to Markdown that fits between the text before the cursor and the text after it.

import { removeMarks } from '../../../../preview/src/remove-marks.ts';
import { cleanPastedHtml, type Losses, NO_LOSSES } from './clean-pasted-html.ts';
import { releaseBlocks } from './html-block.ts';
import { findSpacing } from './insert-file.ts';
import { parseHtml } from './parse-html.ts';
import { writeMarkdown } from './write-markdown.ts';
import { LETTER_FIRST, LETTER_LAST } from './write-markdown-line.ts';

/** Copied text, in the two formats that programs put on the clipboard. */
interface Pasted {
  readonly html: string;
  readonly plain: string;
}

interface ConvertedPaste {
  /** Undefined if the plain text must be pasted as it is. */
  readonly markdown: string | undefined;
  readonly losses: Losses;
}

const INLINE = 'strong, em, code, a';
const LINES = 'u, s';
const BLOCKS = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, hr, table';
const COPIED_AROUND = 'h1, h2, h3, h4, h5, h6, pre';

/**
 * @param head the text before the cursor or the selection
 * @param tail the text after it
 */
export function convertPaste({ html, plain }: Pasted, head: string, tail: string): ConvertedPaste {
  if (endsInCode(head)) return { markdown: undefined, losses: NO_LOSSES };
  const cleaned = cleanPastedHtml(releaseBlocks(removeMarks(html)));
  const body = parseHtml(releaseBlocks(cleaned.html));
  const losses = { ...cleaned.losses, lines: body.querySelectorAll(LINES).length };
  const hasBlocks = body.querySelector(BLOCKS) !== null;
  const isFormatted = hasBlocks || body.querySelector(INLINE) !== null;
  if (!isFormatted || (isOneLine(body, plain) && isInLine(head, tail))) return { markdown: undefined, losses };
  const markdown = writeMarkdown(body.childNodes);
  if (!hasBlocks && !markdown.includes('\n\n')) return { markdown: writeInline(body, plain, head, tail), losses };
  const [before, after] = findSpacing(head, tail);
  return { markdown: `${before}${markdown}${after}`, losses };
}

const FENCE = /^[-+*>\d.) \t]*(`{3,}(?!.*`)|~{3,})(.*)$/;
const CLOSED_CODE = /\\.|(`+)(?!`).*?(?<!`)\1(?!`)/g;
const LINK_ADDRESS = /\]\([^)\s]*$/;

/** Whether text at this position is part of code or of the address of a link. Formatting characters would be visible there. */
function endsInCode(head: string): boolean {
  const lines = head.split('\n');
  const last = lines.at(-1) ?? '';
  let fence = '';
  for (const line of lines) {
    const [, sign = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence === '') fence = sign;
    else if (sign.startsWith(fence) && info.trim() === '') fence = '';
  }
  const isInCode = !FENCE.test(last) && last.replaceAll(CLOSED_CODE, '').includes('`');
  return fence !== '' || isInCode || LINK_ADDRESS.test(last);
}

/** Whether the text may be only part of a heading or a code block. Browsers also copy the surrounding element. */
function isOneLine(body: HTMLElement, plain: string): boolean {
  const [block, ...others] = body.querySelectorAll(BLOCKS);
  if (block?.matches(COPIED_AROUND) !== true || others.length > 0) return false;
  return block.textContent.trim() === body.textContent.trim() && /^.+$/.test(plain.trim());
}

function isInLine(head: string, tail: string): boolean {
  const [rest = ''] = tail.split('\n', 1);
  return `${head.slice(head.lastIndexOf('\n') + 1)}${rest}`.trim() !== '';
}

const SPACE_AROUND = /^(?:\s|<br>)+|(?:\s|<br>)+$/g;

/** The plain text shows whether there are spaces at the ends. In HTML, such a space may be there only to separate two elements. */
function writeInline(body: HTMLElement, plain: string, head: string, tail: string): string {
  const [start, end] = [/^[ \u00a0]/.test(plain) ? ' ' : '', /[ \u00a0]$/.test(plain) ? ' ' : ''];
  // How emphasis is written depends on the letters next to it, so these letters are added first and removed afterwards.
  const before = start === '' ? (LETTER_LAST.exec(head)?.[0] ?? '') : '';
  const after = end === '' ? (LETTER_FIRST.exec(tail)?.[0] ?? '') : '';
  const block = [...body.querySelectorAll('p, div')].at(-1) ?? body;
  block.innerHTML = block.innerHTML.replaceAll(SPACE_AROUND, '');
  block.prepend(before);
  block.append(after);
  const written = writeMarkdown(body.childNodes);
  return `${start}${written.slice(before.length, written.length - after.length)}${end}`;
}
