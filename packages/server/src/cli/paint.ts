// Colours, only where a person sees them: on a terminal, and not where NO_COLOR says otherwise.

import { styleText } from 'node:util';

/** `key` marks what a person looks for or copies. */
export type Style = 'title' | 'key' | 'dim' | 'red' | 'yellow';

export type Paint = (style: Style, text: string) => string;

const FORMATS = { title: 'bold', key: 'cyan', dim: 'dim', red: 'red', yellow: 'yellow' } as const;

export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(FORMATS[style], text, { stream });
}

const UNFIT = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Control and direction characters in stored text or file names could rewrite the screen. */
export function cleanText(text: string): string {
  return text.replace(UNFIT, '\ufffd');
}

/** The same for text of several lines. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n');
}
