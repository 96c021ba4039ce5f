import '@mantine/tiptap/styles.css';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditor } from '@tiptap/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { readStyleNonce } from '../../theme/style-nonce.ts';
import { cleanPastedHtml, type Losses } from './clean-pasted-html.ts';
import { useForm } from './form-context.ts';
import { holdUnknown, releaseUnknown } from './hold-unknown-html.ts';
import { parseHtml } from './parse-html.ts';
import classes from './rich-text.module.css';
import { RICH_TEXT_EXTENSIONS } from './rich-text-schema.tsx';

interface RichTextProps {
  readonly label: string;
  readonly isFaulty: boolean;
  readonly isReadOnly: boolean;
  readonly value: string;
  readonly onChange: (html: string) => void;
  /** Called after each paste. */
  readonly onPaste: (losses: Losses) => void;
}

export function RichText({ label, isFaulty, isReadOnly, value, onChange, onPaste }: RichTextProps) {
  const { language } = useForm();
  const shown = useRef(value);
  const [first] = useState(() => holdUnknown(value));
  const editor = useEditor({
    extensions: RICH_TEXT_EXTENSIONS,
    content: first,
    editable: !isReadOnly,
    injectNonce: readStyleNonce(),
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        role: 'textbox',
        dir: 'auto',
        ...(language === undefined ? {} : { lang: language }),
        'aria-multiline': 'true',
        'aria-label': label,
        ...(isFaulty ? { 'aria-invalid': 'true' } : {}),
      },
      transformPastedHTML: (pasted) => {
        // Text copied from an editor like this one needs no cleaning.
        if (pasted.includes('data-pm-slice')) return pasted;
        const { html, losses } = cleanPastedHtml(pasted);
        onPaste(losses);
        return html;
      },
      handlePaste: (_, { clipboardData }) => {
        const pictures = [...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/')).length;
        const hasText = clipboardData?.types.some((type) => type.startsWith('text/')) === true;
        if (pictures === 0 || hasText) return false;
        onPaste({ pictures, embeds: 0, comments: 0 });
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? '' : releaseUnknown(changed.getHTML());
      onChange(shown.current);
    },
  });

  // A text from elsewhere, such as another editor's version, replaces the text that is shown.
  const takeIn = useEffectEvent((html: string) => {
    if (html === shown.current) return;
    const isShown = parseHtml(html).innerHTML === parseHtml(shown.current).innerHTML;
    shown.current = html;
    if (isShown) return;
    const { from, to } = editor.state.selection;
    editor.chain().setContent(holdUnknown(html), { emitUpdate: false }).setTextSelection({ from, to }).run();
  });
  useEffect(() => takeIn(value), [value]);

  // The editor reads its options only once, but this one changes.
  useEffect(() => editor.setEditable(!isReadOnly, false), [editor, isReadOnly]);

  return (
    <RichTextEditor
      editor={editor}
      labels={EDITOR_TEXTS.richText}
      className={classes.editor}
      data-faulty={isFaulty || undefined}
    >
      {!isReadOnly && (
        <RichTextEditor.Toolbar className={classes.toolbar}>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.Link />
            <RichTextEditor.Code />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.H3 />
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.Blockquote />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
      )}
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}
