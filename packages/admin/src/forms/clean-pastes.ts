// Removes marks from text that somebody copied from a preview and pastes into an input. The rich text input and the number input read the
// clipboard themselves, and remove marks there.

import { removeMarks } from '../../../preview/src/remove-marks.ts';

export function cleanPastes(page: Window): void {
  page.addEventListener('paste', cleanPaste, { capture: true });
}

function cleanPaste(event: ClipboardEvent): void {
  const { target } = event;
  const read = (type: string): string => event.clipboardData?.getData(type) ?? '';
  const text = read('text/plain');
  const clean = removeMarks(text);
  if (clean === text || !isTextInput(target)) return;
  event.preventDefault();
  event.stopPropagation();
  // An input may handle pastes itself: the input for tags splits the text at commas, and the Markdown input keeps formatting.
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', clean);
  clipboardData.setData('text/html', removeMarks(read('text/html')));
  const cleaned = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  if (target.dispatchEvent(cleaned)) pasteText(target, clean);
}

/** Unlike an assigned value, the inserted text can be undone, and causes the events that React listens to. */
export function pasteText(input: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  endTyping(input);
  document.execCommand('insertText', false, text);
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
