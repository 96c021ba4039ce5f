// A form that the management API validates. Each error is shown next to its input, and the first such input receives the focus;
// other errors are shown above the form. Forms with incomplete values are not sent. An input's `name` identifies its field.

import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, type Fault } from '../api/api-error.ts';
import { describeFaults, findFault, sayFault } from '../texts/fault-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { describeError } from './describe-error.ts';
import { dropKeptForm, readKeptForm, registerOpenForm } from './kept-forms.ts';

interface ApiFormOptions<Values, Answer> {
  readonly initial: Values;
  /** @param initial the values that the form started with, or that were sent last. Other values may since have been changed elsewhere */
  readonly submit: (values: Values, initial: Values) => Promise<Answer>;
  readonly onDone?: (answer: Answer, values: Values) => unknown;
  readonly isSignIn?: boolean;
  /** Maps an API path to a form field, for paths that do not start with the field's name. */
  readonly fieldOf?: (path: string) => keyof Values | undefined;
}

export interface ApiForm<Values> {
  readonly values: Values;
  readonly initial: Values;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  readonly textOf: (name: TextName<Values>, label: string) => BoundText;
  /** The error for a field, to pass to Mantine's `error` property. @param label the input's label, for the message */
  readonly errorOf: (name: keyof Values, label: string) => string | undefined;
  /** The error at an API path inside a field, such as `options[1].label`. */
  readonly errorAt: (path: string, label: string) => string | undefined;
  /** All other errors. */
  readonly message: string | undefined;
  readonly isPending: boolean;
  readonly isChanged: boolean;
  /** Properties of the form element. */
  readonly form: {
    readonly ref: React.RefObject<HTMLFormElement | null>;
    readonly noValidate: true;
    readonly onSubmit: (event: FormEvent) => void;
  };
}

/** The names of the values that can be any text, as opposed to one of a few fixed strings. */
export type TextName<Values> = {
  [Name in keyof Values]-?: Values[Name] extends string ? (string extends Values[Name] ? Name : never) : never;
}[keyof Values];

/** Properties of a text input: its label, its value, the handler that changes it, and its error. */
export interface BoundText {
  readonly label: string;
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  readonly error: string | undefined;
}

export function useApiForm<Values extends object, Answer>(options: ApiFormOptions<Values, Answer>): ApiForm<Values> {
  const { submit, onDone, isSignIn = false, fieldOf } = options;
  const [initial, setInitial] = useState(options.initial);
  const [place] = useState(() => `${window.location.pathname} ${JSON.stringify(options.initial)}`);
  const [values, setValues] = useState(() => readKeptForm(place, options.initial) ?? options.initial);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [unfinished, setUnfinished] = useState<readonly (keyof Values)[]>([]);
  const [message, setMessage] = useState<string>();
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => dropKeptForm(place), [place]);
  useEffect(
    () => (values === initial ? undefined : registerOpenForm(() => ({ place, values }))),
    [values, initial, place],
  );

  const findField = (path: string): keyof Values | undefined => {
    const named = fieldOf?.(path);
    if (named !== undefined) return named;
    const first = /^\w*/.exec(path)?.[0] ?? '';
    return isMember(values, first) ? first : undefined;
  };

  const showError = (error: Error): void => {
    const found = error instanceof ApiError ? error.faults : [];
    const others = found.filter(({ path }) => findField(path) === undefined);
    flushSync(() => {
      setFaults(found);
      setMessage(others.length === found.length ? describeError(error) : describeFaults(others));
    });
    focusFirstFault();
  };

  const focusFirstFault = (): void =>
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], input[data-invalid]')?.focus();

  const showUnfinished = (inputs: readonly HTMLInputElement[]): void => {
    const names = inputs.map(({ name }) => name).filter((name) => isMember(values, name));
    flushSync(() => {
      setFaults([]);
      setUnfinished(names);
      setMessage(names.length < inputs.length ? SHELL_TEXTS.unfinished : undefined);
    });
    focusFirstFault();
  };

  const work = useMutation({
    mutationFn: (sent: Values) => submit(sent, initial),
    meta: { isSignIn },
    // Forms send passwords and receive tokens, so nothing is cached.
    gcTime: 0,
    onMutate: () => {
      setFaults([]);
      setUnfinished([]);
      setMessage(undefined);
    },
    onError: showError,
    onSuccess: (answer, sent) => {
      setInitial(sent);
      return onDone?.(answer, sent);
    },
  });

  /** Errors describe the value that was sent, so a changed value has none. */
  const set = (name: keyof Values, value: unknown): void => {
    setValues((known) => ({ ...known, [name]: value }));
    setFaults((known) => known.filter(({ path }) => findField(path) !== name));
    setUnfinished((known) => known.filter((each) => each !== name));
  };

  const errorOf = (name: keyof Values, label: string): string | undefined => {
    if (unfinished.includes(name)) return SHELL_TEXTS.unfinished;
    const fault = faults.find(({ path }) => findField(path) === name);
    return fault && sayFault(fault, label);
  };

  return {
    values,
    initial,
    set,
    textOf: (name, label) => ({
      label,
      value: String(values[name]),
      onChange: (event) => set(name, event.currentTarget.value),
      error: errorOf(name, label),
    }),
    errorOf,
    errorAt: (path, label) => findFault(faults, path, label),
    message,
    isPending: work.isPending,
    isChanged: values !== initial,
    form: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        if (work.isPending || ref.current === null) return;
        const inputs = findUnfinished(ref.current);
        if (inputs.length > 0) showUnfinished(inputs);
        else work.mutate(values);
      },
    },
  };
}

function isMember<Values extends object>(values: Values, name: string): name is Extract<keyof Values, string> {
  return Object.hasOwn(values, name);
}

/**
 * The inputs with incomplete or invalid values, such as a date without a day, or a date after the last allowed year.
 */
function findUnfinished(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && isUnfinished(element),
  );
}

function isUnfinished({ validity }: HTMLInputElement): boolean {
  return validity.badInput || validity.rangeOverflow;
}
