/** The inputs of a form whose value is half entered or none, like a date without its day or after the last year: they mean one. */
export function findUnfinished(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && isUnfinished(element),
  );
}

function isUnfinished({ validity }: HTMLInputElement): boolean {
  return validity.badInput || validity.rangeOverflow;
}
