// What the visual editor knows of HTML. `html-blocks.ts` keeps what a text has beyond that.

import { Link } from '@tiptap/extension-link';
import { Extension } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { completeLink } from './complete-link.ts';
import { HtmlBlock } from './html-block.tsx';

/** The panel publishes with this key; a line break has Shift+Enter. */
const PublishKey = Extension.create({
  name: 'publishKey',
  priority: 1000,
  addKeyboardShortcuts: () => ({ 'Mod-Enter': () => true }),
});

const TypedLink = Link.extend({
  addCommands() {
    const commands = this.parent?.() ?? {};
    const { setLink } = commands;
    if (setLink === undefined) return commands;
    return { ...commands, setLink: ({ href, ...others }) => setLink({ ...others, href: completeLink(href) }) };
  },
});

export const RICH_TEXT_EXTENSIONS = [
  PublishKey,
  StarterKit.configure({ link: false, trailingNode: false }),
  // Links stay as they are written: what a site wants of their targets is its own choice.
  TypedLink.configure({ openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null } }),
  HtmlBlock,
];
