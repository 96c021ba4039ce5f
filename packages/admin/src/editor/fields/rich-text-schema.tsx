// The HTML that the visual editor can edit, and the block that shows all other HTML formatted and edits it as source.

import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { IconCode, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tiptap/extension-link';
import { Extension, Node, type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useState } from 'react';
import { siteQuery } from '../../sites/site-queries.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import { readHtmlNodes } from './html-nodes.ts';
import { HtmlView } from './html-view.tsx';
import { completeLink } from './link-address.ts';
import classes from './rich-text-schema.module.css';

/** The panel publishes with this key. Shift+Enter makes a line break. */
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

/** Holds the source while it is in the editor, so that it never becomes elements of the page. */
export const HTML_SOURCE = 'data-galley-html';

const HtmlBlock = Node.create({
  name: 'htmlBlock',
  group: 'block',
  atom: true,
  addAttributes: () => ({
    source: {
      default: '',
      parseHTML: (element: HTMLElement) => element.getAttribute(HTML_SOURCE),
      renderHTML: ({ source }: { readonly source?: unknown }) => ({ [HTML_SOURCE]: source }),
    },
  }),
  parseHTML: () => [{ tag: `div[${HTML_SOURCE}]` }],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
  addNodeView: () => ReactNodeViewRenderer(HtmlBlockView, { stopEvent: ({ event }) => isForControl(event.target) }),
});

export const RICH_TEXT_EXTENSIONS = [
  PublishKey,
  StarterKit.configure({ link: false, trailingNode: false }),
  // Links stay as they are written: each site decides about targets itself.
  TypedLink.configure({ openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null } }),
  HtmlBlock,
];

/** The editor ignores events in the block's own controls. */
function isForControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, textarea, a') !== null;
}

function HtmlBlockView({ node, editor, selected, updateAttributes, deleteNode }: NodeViewProps) {
  const { site } = useForm();
  const { data } = useQuery(siteQuery(site));
  const [isOpen, setIsOpen] = useState(false);
  const source = String(node.attrs.source);
  return (
    <NodeViewWrapper className={classes.block} data-selected={selected || undefined} contentEditable={false}>
      <div className={classes.head}>
        <span className={classes.label}>{EDITOR_TEXTS.htmlBlock}</span>
        {editor.isEditable && (
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconCode size={15} aria-hidden />}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? EDITOR_TEXTS.htmlBlockDone : EDITOR_TEXTS.htmlBlockEdit}
            </Button>
            <Tooltip label={EDITOR_TEXTS.htmlBlockRemove}>
              <ActionIcon aria-label={EDITOR_TEXTS.htmlBlockRemove} onClick={() => deleteNode()}>
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </>
        )}
      </div>
      {isOpen && editor.isEditable ? (
        <Textarea
          autoFocus
          aria-label={EDITOR_TEXTS.htmlBlockSource}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          autosize
          minRows={2}
          maxRows={20}
          spellCheck={false}
          data-html-source
          value={source}
          onChange={(event) => updateAttributes({ source: event.currentTarget.value })}
        />
      ) : (
        <HtmlView nodes={readHtmlNodes(source, data?.url ?? null)} showsPictures />
      )}
    </NodeViewWrapper>
  );
}
