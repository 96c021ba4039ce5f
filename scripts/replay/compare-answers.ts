// Compares the answers of two checkouts to one request: the status, the Link header and the body, byte by byte.

import type { Answer } from '../../packages/server/test/oracle/service-call.ts';

export type ComparedAnswer = Pick<Answer, 'status' | 'headers' | 'text'>;

export interface IntendedDifference {
  readonly name: string;
  readonly reason: string;
  /** Whether the answers differ in this way and in no other. */
  readonly explains: (ours: ComparedAnswer, theirs: ComparedAnswer) => boolean;
}

/** An entry can be removed once checkouts from before the change no longer have to be compared. */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    name: 'new members of assets',
    reason: 'Assets have two new members for the image API: focal_point and placeholder.',
    explains: (ours, theirs) =>
      ours.status === theirs.status &&
      readLink(ours) === readLink(theirs) &&
      (removeNewMembers(ours.text) === theirs.text || ours.text === removeNewMembers(theirs.text)),
  },
  {
    name: 'message of a 422',
    reason: 'Error messages were rewritten in plain English.',
    explains: (ours, theirs) => [ours, theirs].every(({ status, text }) => status === 422 && ONLY_MESSAGE.test(text)),
  },
];

/** In a string, the quotation marks would be escaped, so this matches only members. */
const NEW_MEMBERS = /,"focal_point":(?:null|\{[^{}]*\}),"placeholder":(?:null|"[^"]*")/g;
const ONLY_MESSAGE = /^\{"message":"(?:[^"\\]|\\.)*"\}$/;

function removeNewMembers(text: string): string {
  return text.replaceAll(NEW_MEMBERS, '');
}

function readLink({ headers }: ComparedAnswer): string {
  return headers.get('link') ?? '';
}

/** The first place where two answers differ, with the text around it. */
export interface DifferentPlace {
  readonly part: 'status' | 'Link header' | 'body';
  readonly at: number;
  readonly ours: string;
  readonly theirs: string;
}

export type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'intended'; readonly name: string }
  | { readonly kind: 'different'; readonly place: DifferentPlace };

export function compareAnswers(ours: ComparedAnswer, theirs: ComparedAnswer): Comparison {
  const place =
    findPlace('status', String(ours.status), String(theirs.status)) ??
    findPlace('body', ours.text, theirs.text) ??
    findPlace('Link header', readLink(ours), readLink(theirs));
  if (place === undefined) return { kind: 'same' };
  const intended = INTENDED_DIFFERENCES.find((each) => each.explains(ours, theirs));
  return intended === undefined ? { kind: 'different', place } : { kind: 'intended', name: intended.name };
}

const SHOWN_AROUND = 80;

function findPlace(part: DifferentPlace['part'], ours: string, theirs: string): DifferentPlace | undefined {
  if (ours === theirs) return undefined;
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - SHOWN_AROUND), at + SHOWN_AROUND);
  return { part, at, ours: around(ours), theirs: around(theirs) };
}
