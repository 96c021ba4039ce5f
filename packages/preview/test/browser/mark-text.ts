import { vercelStegaEncode } from '@vercel/stega';

/** The text with its mark at the end, as the delivery API returns it. */
export function markText(text: string, path: string, id = 'c_1'): string {
  return `${text}${vercelStegaEncode({ origin: 'galley', id, path, language: 'en' })}`;
}
