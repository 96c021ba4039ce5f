// The rich text input. Text reaches the page only through the visual editor's schema or as plain text in a text area, never as HTML.

import '@mantine/tiptap/styles.css';
import type { ManagedAssetBody } from '@galley/wire';
import { Button, Textarea } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { type Editor, type JSONContent, useEditor } from '@tiptap/react';
import { type ClipboardEvent, type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { removeMarks } from '../../../../preview/src/remove-marks.ts';
import { type DroppedFile, readPastedFiles } from '../../assets/uploads/dropped-files.ts';
import { FileDrop } from '../../assets/uploads/file-drop.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import { readStyleNonce } from '../../theme/style-nonce.ts';
import { cleanPastedHtml, type Losses, NO_LOSSES, needsNoCleaning } from './clean-pasted-html.ts';
import { FieldFrame } from './field-frame.tsx';
import { buildText, readText } from './field-values.ts';
import { type FieldInputProps, useFault, useForm } from './form-context.ts';
import classes from './html-input.module.css';
import { writePicture } from './insert-file.ts';
import { parseHtml } from './parse-html.ts';
import { PasteNotice } from './paste-notice.tsx';
import { buildHtmlBlock, holdUnknown, RICH_TEXT_EXTENSIONS, releaseUnknown } from './rich-text-schema.tsx';
import { useFieldUploads } from './use-field-uploads.ts';

export function HtmlInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const text = readText(value);
  const [isSource, setIsSource] = useState(false);
  const [pasted, setPasted] = useState<string>();
  const label = field.name;
  return (
    <FieldFrame
      label={label}
      help={field.help_text}
      isRequired={field.required}
      error={error}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setIsSource(!isSource)}
          aria-label={isSource ? EDITOR_TEXTS.toVisualOf(label) : EDITOR_TEXTS.toSourceOf(label)}
        >
          {isSource ? EDITOR_TEXTS.toVisual : EDITOR_TEXTS.toSource}
        </Button>
      }
    >
      {isSource ? (
        <Textarea
          aria-label={label}
          aria-required={field.required}
          error={error !== undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          autosize
          minRows={5}
          maxRows={30}
          spellCheck={false}
          data-html-source
          readOnly={isReadOnly}
          value={text}
          onChange={(event) => onChange(buildText(event.currentTarget.value))}
        />
      ) : (
        <RichText
          label={label}
          isFaulty={error !== undefined}
          isReadOnly={isReadOnly}
          value={text}
          onChange={(html) => onChange(buildText(html))}
          onPaste={(losses) => setPasted(EDITOR_TEXTS.notPasted(losses))}
        />
      )}
      <PasteNotice text={pasted} onClose={() => setPasted(undefined)} />
    </FieldFrame>
  );
}

interface RichTextProps {
  readonly label: string;
  readonly isFaulty: boolean;
  readonly isReadOnly: boolean;
  readonly value: string;
  readonly onChange: (html: string) => void;
  /** Called for each paste, and again if parts of it were lost. */
  readonly onPaste: (losses: Losses) => void;
}

function RichText({ label, isFaulty, isReadOnly, value, onChange, onPaste }: RichTextProps) {
  const { language } = useForm();
  const uploadToField = useFieldUploads(label);
  const shown = useRef(value);
  /** Where uploaded files will be inserted. The positions move with the text. */
  const spots = useRef(new Set<{ at: number }>());
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
      handleDOMEvents: {
        // The notice about the last paste is removed here, because the functions below are not called when plain text is pasted.
        paste: () => {
          onPaste(NO_LOSSES);
          return false;
        },
      },
      transformPastedText: removeMarks,
      transformPastedHTML: (marked) => {
        const pasted = removeMarks(marked);
        if (needsNoCleaning(pasted)) return pasted;
        const { html, losses } = cleanPastedHtml(pasted);
        onPaste(losses);
        return html;
      },
      handlePaste: (view, { clipboardData }) => {
        const files = readPastedFiles(clipboardData, new Date());
        if (files.length === 0) return false;
        addFiles(
          files.map((file) => ({ file, folder: '' })),
          view.state.selection.from,
        );
        return true;
      },
    },
    onTransaction: ({ transaction }) => {
      for (const spot of spots.current) spot.at = transaction.mapping.map(spot.at);
    },
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? '' : releaseUnknown(changed.getHTML());
      onChange(shown.current);
    },
  });

  const addFiles = (files: readonly DroppedFile[], at: number): void => {
    const spot = { at };
    spots.current.add(spot);
    uploadToField(files, (asset) => {
      const at = findGap(editor, spot.at);
      const size = editor.state.doc.content.size;
      editor.commands.insertContentAt(at, buildInsertion(asset));
      // The next file goes after this one.
      spot.at = at + editor.state.doc.content.size - size;
    });
  };
  const dropFiles = (files: readonly DroppedFile[], event: DragEvent | ClipboardEvent): void => {
    const place =
      'clientX' in event ? editor.view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos : undefined;
    addFiles(files, place ?? editor.state.selection.from);
  };

  // Text that was not typed here, such as another editor's version, replaces the current text.
  const takeIn = useEffectEvent((html: string) => {
    if (html === shown.current) return;
    const isShown = parseHtml(html).innerHTML === parseHtml(shown.current).innerHTML;
    shown.current = html;
    if (isShown) return;
    const { from, to } = editor.state.selection;
    editor.chain().setContent(holdUnknown(html), { emitUpdate: false }).setTextSelection({ from, to }).run();
  });
  useEffect(() => takeIn(value), [value]);

  // The editor reads its options only once, but this option can change.
  useEffect(() => editor.setEditable(!isReadOnly, false), [editor, isReadOnly]);

  return (
    <FileDrop label={UPLOAD_TEXTS.dropInText} isDisabled={isReadOnly} onFiles={dropFiles}>
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
    </FileDrop>
  );
}

/** The nearest position between two paragraphs, so that a file does not split a paragraph. */
function findGap({ state }: Editor, at: number): number {
  const place = state.doc.resolve(Math.min(at, state.doc.content.size));
  if (place.depth === 0) return place.pos;
  return place.parentOffset === 0 ? place.before(1) : place.after(1);
}

/** A picture, or a link to any other file. */
function buildInsertion(asset: ManagedAssetBody): JSONContent {
  if (asset.is_image) return buildHtmlBlock(writePicture(asset));
  const link = { type: 'link', attrs: { href: asset.url } };
  return { type: 'paragraph', content: [{ type: 'text', text: asset.name, marks: [link] }] };
}
