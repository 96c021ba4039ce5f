// Colours, used only on a terminal and only if NO_COLOR is not set.

import { styleText } from 'node:util';
import { UNFIT_CHARACTERS } from '../content/text-rules.ts';

/** `key` is used for values that people look for or copy. */
export type Style = 'title' | 'key' | 'dim' | 'red' | 'yellow';

export type Paint = (style: Style, text: string) => string;

const FORMATS = { title: 'bold', key: 'cyan', dim: 'dim', red: 'red', yellow: 'yellow' } as const;

export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(FORMATS[style], text, { stream });
}

/** Removes control characters and text-direction characters. In stored text or file names, they could rewrite the screen. */
export function cleanText(text: string): string {
  return text.replace(UNFIT_CHARACTERS, '\ufffd');
}

/** Like `cleanText`, but keeps line breaks. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n');
}
