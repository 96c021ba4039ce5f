// Moves the focus to a field of the form. Each part of the form has its path in `data-path`.

const INPUTS = 'input, textarea, select, [contenteditable="true"]';
/** The input that people write in. Some fields have other inputs before it, such as a choice between two views. */
const TEXTS = 'textarea, [contenteditable="true"]';
const FAULTY = '[data-faulty], [aria-invalid="true"]';
/** The code for the visual editor may have to be loaded first. */
const LONGEST_WAIT_MS = 5_000;

/** The path of the field that an element belongs to; undefined if it belongs to none. */
export function readFieldPath(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-path]')?.dataset.path;
}

/** Focuses the first input with an error. In a group without inputs, focuses its first button. */
export function focusFirstFault(form: HTMLElement): void {
  // Groups around an input with an error are marked too, so this selects the innermost marked element.
  const faulty = form.querySelector<HTMLElement>(`:is(${FAULTY}):not(:has(${FAULTY}))`);
  const control = faulty?.matches(INPUTS)
    ? faulty
    : (faulty?.querySelector<HTMLElement>(INPUTS) ?? faulty?.querySelector('button'));
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
}

/**
 * Scrolls to a field and focuses it. If the form does not show the field itself, shows the part of the form around it.
 * @returns a function that stops waiting for the field
 */
export function showField(form: HTMLElement, path: string): () => void {
  const part = findPart(form, path);
  if (part === undefined) return () => undefined;
  part.scrollIntoView({ block: 'center' });
  part.animate(HIGHLIGHT, { duration: 1_500, easing: 'ease-out' });
  if (focusPart(part)) return () => undefined;
  const observer = new MutationObserver(() => {
    if (focusPart(part)) stop();
  });
  const timer = setTimeout(() => observer.disconnect(), LONGEST_WAIT_MS);
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(part, { childList: true, subtree: true });
  return stop;
}

const HIGHLIGHT = [
  { boxShadow: '0 0 0 4px var(--galley-chosen)', background: 'var(--galley-chosen)', borderRadius: '4px' },
  { boxShadow: '0 0 0 4px transparent', background: 'transparent', borderRadius: '4px' },
];

function findPart(form: HTMLElement, path: string): HTMLElement | undefined {
  for (let known = path; known !== ''; known = known.replace(/(?:^|\.)[^.[]*$|\[\d+\]$/, '')) {
    const part = form.querySelector<HTMLElement>(`[data-path="${CSS.escape(known)}"]`);
    if (part !== null) return part;
  }
  return undefined;
}

/** @returns false if there is nothing to focus yet */
function focusPart(part: HTMLElement): boolean {
  const control = part.matches(INPUTS) ? part : (findShown(part, TEXTS) ?? findShown(part, INPUTS));
  // An asset or a link in a list has no input.
  const isItem = control === undefined && part.dataset.path?.endsWith(']') === true;
  if (isItem) part.tabIndex = -1;
  const target = control ?? (isItem ? part : findShown(part, 'button'));
  target?.focus({ preventScroll: true });
  return target !== undefined;
}

function findShown(part: HTMLElement, selector: string): HTMLElement | undefined {
  return [...part.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
}
