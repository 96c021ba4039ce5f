// What the visual editor knows of HTML. Whatever a text has beyond that would be lost by editing it there, so such a text
// is edited as HTML instead.

import { createDocument, Extension, getHTMLFromFragment, getSchema } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';

/** The panel publishes with this key; a line break has Shift+Enter. */
const PublishKey = Extension.create({
  name: 'publishKey',
  priority: 1000,
  addKeyboardShortcuts: () => ({ 'Mod-Enter': () => true }),
});

export const RICH_TEXT_EXTENSIONS = [
  PublishKey,
  StarterKit.configure({
    // Links stay as they are written: what a site wants of their targets is its own choice.
    link: { openOnClick: false, HTMLAttributes: { target: null, rel: null } },
    trailingNode: false,
  }),
];

const SAME_ELEMENTS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };

/** Whether the visual editor keeps everything that a text has. */
export function isKeptBySchema(html: string): boolean {
  if (html.trim() === '') return true;
  const schema = getSchema(RICH_TEXT_EXTENSIONS);
  const kept = listElements(getHTMLFromFragment(createDocument(html, schema).content, schema));
  for (const [element, count] of listElements(html)) if ((kept.get(element) ?? 0) < count) return false;
  return true;
}

/** How often each element is there, with its attributes. The parsed document runs nothing and loads nothing. */
function listElements(html: string): ReadonlyMap<string, number> {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const counts = new Map<string, number>();
  for (const { localName, attributes } of body.querySelectorAll('*')) {
    const written = [...attributes].map(({ name, value }) => `${name}=${value}`).toSorted();
    const element = [SAME_ELEMENTS[localName] ?? localName, ...written].join(' ');
    counts.set(element, (counts.get(element) ?? 0) + 1);
  }
  return counts;
}
