// Removes marks from text that somebody copied from a preview and pastes into an input. The rich text input and the number input read the
// clipboard themselves, and remove marks there.

import { removeMarks } from '../../../preview/src/remove-marks.ts';

export function cleanPastes(page: Window): void {
  page.addEventListener('paste', cleanPaste, { capture: true });
}

function cleanPaste(event: ClipboardEvent): void {
  const { target } = event;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const clean = removeMarks(text);
  if (clean === text || !isTextInput(target)) return;
  event.preventDefault();
  event.stopPropagation();
  endTyping(target);
  // An input may handle pastes itself: the input for tags splits the text at commas.
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', clean);
  const cleaned = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  if (!target.dispatchEvent(cleaned)) return;
  // Unlike an assigned value, inserted text can be undone, and causes the events that React listens to.
  document.execCommand('insertText', false, clean);
}

function isTextInput(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !/^(decimal|numeric)$/.test(target.inputMode);
}

/** Moves the cursor away and back. Otherwise, one Undo would remove both the pasted text and the text typed before it. */
function endTyping(input: HTMLInputElement | HTMLTextAreaElement): void {
  const { selectionStart, selectionEnd } = input;
  // Some inputs, such as those for email addresses, have no readable selection.
  if (selectionStart === null) return;
  input.setSelectionRange(0, 0);
  input.setSelectionRange(selectionStart, selectionEnd);
}
