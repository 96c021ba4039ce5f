// Colours, only where a person sees them: on a terminal, and not where NO_COLOR says otherwise.

import { styleText } from 'node:util';

/** `key` marks what a person looks for or copies. */
export type Style = 'title' | 'key' | 'dim' | 'red' | 'yellow';

export type Paint = (style: Style, text: string) => string;

const FORMATS = { title: 'bold', key: 'cyan', dim: 'dim', red: 'red', yellow: 'yellow' } as const;

export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(FORMATS[style], text, { stream });
}

/** Control and direction characters in stored text could rewrite the screen. */
export function cleanText(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
