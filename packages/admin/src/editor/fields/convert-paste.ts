// Converts formatted text on the clipboard to Markdown.

import { removeMarks } from '../../../../preview/src/remove-marks.ts';
import { cleanPastedHtml, type Losses } from './clean-pasted-html.ts';
import { releaseBlocks } from './html-block.ts';
import { parseHtml } from './parse-html.ts';
import { writeMarkdown } from './write-markdown.ts';

interface ConvertedPaste {
  /** Undefined if the text has no formatting. */
  readonly markdown: string | undefined;
  /** Whether the Markdown fits into a line of other text. */
  readonly isInline: boolean;
  readonly losses: Losses;
}

const INLINE = 'strong, em, code, a';
const BLOCKS = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, hr, table';

export function convertPaste(pasted: string): ConvertedPaste {
  const { html, losses } = cleanPastedHtml(releaseBlocks(removeMarks(pasted)));
  const body = parseHtml(releaseBlocks(html));
  const hasBlocks = body.querySelector(BLOCKS) !== null;
  if (!hasBlocks && body.querySelector(INLINE) === null) return { markdown: undefined, isInline: true, losses };
  const markdown = writeMarkdown(body.childNodes);
  return { markdown, isInline: !hasBlocks && !markdown.includes('\n\n'), losses };
}
