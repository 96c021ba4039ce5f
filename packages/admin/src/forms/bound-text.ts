import type { ChangeEvent } from 'react';

/** The members of a form that hold any text. */
export type TextName<Values> = {
  [Name in keyof Values]-?: Values[Name] extends string ? (string extends Values[Name] ? Name : never) : never;
}[keyof Values];

/** Properties of the input of a text: what it holds, what changes it, and what is wrong with it. */
export interface BoundText {
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  readonly error: string | undefined;
}
