// Defines the HTML that the visual editor can edit. All other HTML, such as tables and pictures, is placed in blocks between the
// paragraphs. These blocks show it formatted, let people edit its source, and are saved unchanged.

import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { IconCode, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tiptap/extension-link';
import {
  createDocument,
  Extension,
  getHTMLFromFragment,
  getSchema,
  type JSONContent,
  Node,
  type NodeViewProps,
  NodeViewWrapper,
  ReactNodeViewRenderer,
} from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useState } from 'react';
import { siteQuery } from '../../sites/site-queries.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import { HeldAttributes, holdAttributes, releaseAttributes } from './held-attributes.ts';
import { createBlock, HTML_SOURCE, releaseBlocks } from './html-block.ts';
import { HtmlView, readHtmlNodes } from './html-view.tsx';
import { completeLink } from './link-address.ts';
import { hasStyles, parseHtml, writeHtml } from './parse-html.ts';
import classes from './rich-text-schema.module.css';

const SAME_ELEMENTS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };
const INLINE =
  'a, abbr, b, bdi, bdo, br, cite, code, data, del, dfn, em, i, img, ins, kbd, mark, q, s, samp, small, span, strike, strong, sub, sup, time, u, var, wbr';
/** The panel uses this key to publish. Shift+Enter inserts a line break. */
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
  // Links are saved as written, because each site decides how to open them.
  TypedLink.configure({ openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null } }),
  HtmlBlock,
  HeldAttributes,
];

/** Whether an event is meant for the block's own controls. The editor ignores such events. */
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
        <span className={classes.label}>{isPicture(source) ? EDITOR_TEXTS.pictureBlock : EDITOR_TEXTS.htmlBlock}</span>
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

/** Whether the HTML is only a picture, possibly in a paragraph. */
function isPicture(source: string): boolean {
  return /^\s*(<p>\s*)?<img\b[^>]*>(\s*<\/p>)?\s*$/i.test(source);
}

const SCHEMA = getSchema(RICH_TEXT_EXTENSIONS);

/** Prepares saved HTML for the visual editor: moves everything that its schema does not support into HTML blocks. */
export function holdUnknown(html: string): string {
  return listParts(html)
    .map((part) => {
      const held = holdAttributes(part);
      return isKept(part, held) ? held : createBlock(part).outerHTML;
    })
    .join('');
}

/** Turns the visual editor's HTML into the HTML to save. */
export function releaseUnknown(html: string): string {
  return releaseBlocks(releaseAttributes(html));
}

/** An HTML block for the visual editor. */
export function buildHtmlBlock(source: string): JSONContent {
  return { type: HtmlBlock.name, attrs: { source } };
}

/** The top-level parts of the HTML: each block, and each run of text between blocks. */
function listParts(html: string): readonly string[] {
  const parts: string[] = [];
  let line = '';
  const endLine = (): void => {
    if (line.trim() !== '') parts.push(line);
    line = '';
  };
  for (const node of parseHtml(html).childNodes) {
    if (!(node instanceof Element) || node.matches(INLINE)) {
      line += writeHtml(node);
      continue;
    }
    endLine();
    parts.push(writeHtml(node));
  }
  endLine();
  return parts;
}

/**
 * Whether the schema preserves every element in the HTML, with its attributes.
 * @param held the same HTML with held attributes
 */
function isKept(html: string, held: string): boolean {
  if (hasStyles(html)) return false;
  const elements = listElements(html);
  const written = getHTMLFromFragment(createDocument(held, SCHEMA).content, SCHEMA);
  const kept = listElements(releaseAttributes(written));
  return [...elements].every(([element, count]) => (kept.get(element) ?? 0) >= count);
}

/** Counts each element with its attributes. */
function listElements(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { localName, attributes } of parseHtml(html).querySelectorAll('*')) {
    const written = [...attributes].map(({ name, value }) => `${name}=${value}`).toSorted();
    const element = [SAME_ELEMENTS[localName] ?? localName, ...written].join(' ');
    counts.set(element, (counts.get(element) ?? 0) + 1);
  }
  return counts;
}
