// A part of a text that the visual editor has no tool for. It is shown formatted and edited as HTML.

import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { IconCode, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Node, type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react';
import { useState } from 'react';
import { siteQuery } from '../../sites/site-queries.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import classes from './html-block.module.css';
import { readHtmlNodes } from './html-nodes.ts';
import { HtmlView } from './html-view.tsx';

/** Holds the source while it is in the editor, so that it never becomes elements of the page. */
export const HTML_SOURCE = 'data-galley-html';

export const HtmlBlock = Node.create({
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
