// The Markdown input, with a preview. The text area stays mounted during the preview, so it keeps its selection and its undo
// history.

import { ActionIcon, Group, SegmentedControl, Skeleton, Textarea, Tooltip } from '@mantine/core';
import { IconBlockquote, IconBold, IconCode, IconHeading, IconItalic, IconLink, IconList } from '@tabler/icons-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, Suspense, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DroppedFile } from '../../assets/uploads/dropped-files.ts';
import { FileDrop } from '../../assets/uploads/file-drop.tsx';
import { lazyPart } from '../../elements/lazy-part.tsx';
import { pasteText } from '../../forms/clean-pastes.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import { convertPaste } from './convert-paste.ts';
import { FieldFrame } from './field-frame.tsx';
import { buildText, readText } from './field-values.ts';
import { BY_SCRIPT, type FieldInputProps, useFault, useForm, useTarget } from './form-context.ts';
import { insertMarkdown, type Spot } from './insert-file.ts';
import classes from './markdown-input.module.css';
import { MARKDOWN_MARKS, type MarkdownMark, toggleMark } from './markdown-marks.ts';
import { PasteNotice } from './paste-notice.tsx';
import { useFieldUploads } from './use-field-uploads.ts';

const ICONS = {
  bold: IconBold,
  italic: IconItalic,
  heading: IconHeading,
  link: IconLink,
  list: IconList,
  quote: IconBlockquote,
  code: IconCode,
} as const;

/** Shortcut keys, pressed with Control or Command. */
const KEYS: Readonly<Record<string, MarkdownMark>> = { b: 'bold', i: 'italic', k: 'link' };

const MarkdownPreview = lazyPart(async () => (await import('./markdown-preview.tsx')).MarkdownPreview);

export function MarkdownInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly, language } = useForm();
  const error = useFault(path, field.name);
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [view, setView] = useState('write');
  useTarget(path, () => setView('write'));
  const isPreview = view === 'preview';
  const text = readText(value);

  const mark = (kind: MarkdownMark): void => {
    const element = area.current;
    if (element === null) return;
    const marked = toggleMark({ text: element.value, start: element.selectionStart, end: element.selectionEnd }, kind);
    flushSync(() => onChange(buildText(marked.text)));
    element.focus();
    element.setSelectionRange(marked.start, marked.end);
  };

  const uploadToField = useFieldUploads(field.name);
  const addFiles = (files: readonly DroppedFile[], event: DragEvent | ClipboardEvent): void => {
    const element = area.current;
    if (element === null) return;
    const at = findDropPosition(element, event) ?? element.selectionStart;
    let spot: Spot = { at, before: element.value.slice(0, at) };
    uploadToField(files, (asset) => {
      const { value: now, selectionStart } = element;
      const inserted = insertMarkdown(now, spot, selectionStart, asset);
      spot = { at: inserted.end, before: inserted.text.slice(0, inserted.end) };
      flushSync(() => onChange(buildText(inserted.text)));
      if (document.activeElement === element) element.setSelectionRange(inserted.end, inserted.end);
    });
  };

  const [pasted, setPasted] = useState<string>();
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    setPasted(undefined);
    const { currentTarget: element, clipboardData } = event;
    const html = clipboardData.getData('text/html');
    // There is no HTML if somebody pastes with Ctrl+Shift+V. The HTML from a code editor contains colours, and the text may be Markdown.
    if (html === '' || isReadOnly || clipboardData.types.includes('vscode-editor-data')) return;
    const { value: now, selectionStart, selectionEnd } = element;
    const plain = clipboardData.getData('text/plain');
    const [head, tail] = [now.slice(0, selectionStart), now.slice(selectionEnd)];
    const { markdown, losses } = convertPaste({ html, plain }, head, tail);
    setPasted(EDITOR_TEXTS.notPasted(losses));
    if (markdown === undefined) return;
    event.preventDefault();
    pasteText(element, markdown);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isReadOnly) return;
    const kind = KEYS[event.key];
    if (kind === undefined) return;
    event.preventDefault();
    mark(kind);
  };

  return (
    <FieldFrame
      label={field.name}
      help={field.help_text}
      isRequired={field.required}
      error={error}
      aside={
        <Group gap="xs" wrap="nowrap">
          <span className={classes.format}>{EDITOR_TEXTS.markdown}</span>
          <SegmentedControl
            size="xs"
            aria-label={EDITOR_TEXTS.viewOf(field.name)}
            value={view}
            onChange={setView}
            data={[
              { value: 'write', label: EDITOR_TEXTS.views.write },
              { value: 'preview', label: EDITOR_TEXTS.views.preview },
            ]}
          />
        </Group>
      }
    >
      <FileDrop label={UPLOAD_TEXTS.dropInText} isDisabled={isReadOnly || isPreview} onFiles={addFiles}>
        <div className={classes.box} data-error={error === undefined ? undefined : true}>
          {!isReadOnly && !isPreview && (
            <Group gap={2} className={classes.bar}>
              {MARKDOWN_MARKS.map((kind) => {
                const Icon = ICONS[kind];
                return (
                  <Tooltip key={kind} label={EDITOR_TEXTS.marks[kind]}>
                    <ActionIcon onClick={() => mark(kind)} aria-label={EDITOR_TEXTS.marks[kind]} aria-controls={id}>
                      <Icon size={16} stroke={1.7} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                );
              })}
            </Group>
          )}
          <div hidden={isPreview}>
            <Textarea
              ref={area}
              id={id}
              aria-label={field.name}
              aria-required={field.required}
              aria-invalid={error === undefined ? undefined : true}
              attributes={BY_SCRIPT}
              lang={language}
              variant="unstyled"
              classNames={{ input: classes.text }}
              autosize
              minRows={5}
              maxRows={30}
              readOnly={isReadOnly}
              value={text}
              onChange={(event) => onChange(buildText(event.currentTarget.value))}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
          </div>
          {isPreview && (
            <Suspense fallback={<Skeleton height={112} />}>
              <MarkdownPreview label={field.name} text={text} />
            </Suspense>
          )}
        </div>
      </FileDrop>
      <PasteNotice text={pasted} onClose={() => setPasted(undefined)} />
    </FieldFrame>
  );
}

/** The position in the text where files were dropped; undefined for a paste, or if the browser cannot tell. */
function findDropPosition(area: HTMLTextAreaElement, event: DragEvent | ClipboardEvent): number | undefined {
  if (!('clientX' in event) || !('caretPositionFromPoint' in document)) return undefined;
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
  return caret !== null && caret.offsetNode === area ? caret.offset : undefined;
}
