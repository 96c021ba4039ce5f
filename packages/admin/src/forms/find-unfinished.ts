/** The inputs of a form whose value is half entered, like a date without its day: they hold none, and mean one. */
export function findUnfinished(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && element.validity.badInput,
  );
}
