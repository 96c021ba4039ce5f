// Colors, used only on a terminal and only if NO_COLOR is not set.

import { styleText } from 'node:util';

/** `key` is for values that people look for or copy. */
export type Style = 'title' | 'key' | 'dim' | 'red' | 'yellow';

export type Paint = (style: Style, text: string) => string;

const FORMATS = { title: 'bold', key: 'cyan', dim: 'dim', red: 'red', yellow: 'yellow' } as const;

export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(FORMATS[style], text, { stream });
}

const UNFIT = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Removes control characters and text-direction characters. In stored text or file names, they could rewrite the screen. */
export function cleanText(text: string): string {
  return text.replace(UNFIT, '\ufffd');
}

/** Like `cleanText`, but keeps line breaks. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n');
}
