const CONTROLS = 'input, textarea, select, [contenteditable="true"], button';

/** The first input that something is wrong with, or the first control of what is more than one input. */
export function focusFirstFault(form: HTMLElement): void {
  const faulty = form.querySelector<HTMLElement>('[data-faulty] [data-faulty], [data-faulty], [aria-invalid="true"]');
  const control = faulty?.matches(CONTROLS) ? faulty : faulty?.querySelector<HTMLElement>(CONTROLS);
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
}
