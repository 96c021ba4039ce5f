const INPUTS = 'input, textarea, select, [contenteditable="true"]';
const FAULTY = '[data-faulty], [aria-invalid="true"]';

/** The first input that something is wrong with, or the first one in what is more than one input; a button where there is none. */
export function focusFirstFault(form: HTMLElement): void {
  // What a fault stands in is marked too: the innermost is meant.
  const faulty = form.querySelector<HTMLElement>(`:is(${FAULTY}):not(:has(${FAULTY}))`);
  const control = faulty?.matches(INPUTS)
    ? faulty
    : (faulty?.querySelector<HTMLElement>(INPUTS) ?? faulty?.querySelector('button'));
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
}
