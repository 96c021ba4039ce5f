import '@mantine/tiptap/styles.css';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditor } from '@tiptap/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { readStyleNonce } from '../../theme/style-nonce.ts';
import { useForm } from './form-context.ts';
import classes from './rich-text.module.css';
import { isKeptBySchema, RICH_TEXT_EXTENSIONS } from './rich-text-schema.ts';

interface RichTextProps {
  readonly label: string;
  readonly isFaulty: boolean;
  readonly isReadOnly: boolean;
  readonly value: string;
  readonly onChange: (html: string) => void;
  /** Called where the value was changed elsewhere and has more now than can be shown here. @param hasFocus is being written in */
  readonly onUnknown: (hasFocus: boolean) => void;
}

export function RichText({ label, isFaulty, isReadOnly, value, onChange, onUnknown }: RichTextProps) {
  const { language } = useForm();
  const shown = useRef(value);
  const editor = useEditor({
    extensions: RICH_TEXT_EXTENSIONS,
    content: value,
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
    },
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? '' : changed.getHTML();
      onChange(shown.current);
    },
  });

  // What comes from elsewhere, such as another editor's version, takes the place of what is shown.
  const takeIn = useEffectEvent((html: string) => {
    if (html === shown.current) return;
    shown.current = html;
    if (isKeptBySchema(html)) editor.commands.setContent(html, { emitUpdate: false });
    else onUnknown(editor.isFocused);
  });
  useEffect(() => takeIn(value), [value]);

  // Its options count when it is made; this one changes.
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
