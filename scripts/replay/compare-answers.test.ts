import { describe, expect, test } from 'vitest';
import { type ComparedAnswer, compareAnswers } from './compare-answers.ts';

const OLD_ASSET = '{"id":"a_1","width":800,"height":600}';
const NEW_ASSET = '{"id":"a_1","width":800,"height":600,"focal_point":{"x":50,"y":20},"placeholder":"1QcSHQ"}';
const EMPTY_ASSET = '{"id":"a_1","width":800,"height":600,"focal_point":null,"placeholder":null}';
const NEXT = '<https://example.com/api/v1/content?cursor=a>; rel="next"';

function answer(text: string, status = 200, link = ''): ComparedAnswer {
  return { status, text, headers: new Headers({ link }) };
}

describe('answers', () => {
  test('are the same if status, Link header and body are equal', () => {
    expect(compareAnswers(answer('{}', 200, NEXT), answer('{}', 200, NEXT))).toEqual({ kind: 'same' });
  });

  test.each([
    ['status', answer('{}'), answer('{}', 404)],
    ['body', answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}')],
    ['body', answer('{"a":1}'), answer('{"a":1} ')],
    ['body', answer('{"a":"é"}'), answer('{"a":"\\u00e9"}')],
    ['Link header', answer('{}', 200, NEXT), answer('{}')],
  ])('differ if only their %s differs', (part, ours, theirs) => {
    expect(compareAnswers(ours, theirs)).toMatchObject({ kind: 'different', place: { part } });
    expect(compareAnswers(theirs, ours)).toMatchObject({ kind: 'different', place: { part } });
  });

  test('show the first place where they differ, with 80 characters on each side', () => {
    const [before, after] = ['b'.repeat(200), 'a'.repeat(200)];
    expect(compareAnswers(answer(`${before}1${after}`), answer(`${before}2${after}`))).toEqual({
      kind: 'different',
      place: {
        part: 'body',
        at: 200,
        ours: `${'b'.repeat(80)}1${'a'.repeat(79)}`,
        theirs: `${'b'.repeat(80)}2${'a'.repeat(79)}`,
      },
    });
  });
});

describe('new members of assets', () => {
  const intended = { kind: 'intended', name: 'new members of assets' };

  test.each([NEW_ASSET, EMPTY_ASSET])('count as an intended difference, whichever checkout has them: %s', (asset) => {
    const [ours, theirs] = [answer(`[${asset},${asset}]`), answer(`[${OLD_ASSET},${OLD_ASSET}]`)];
    expect(compareAnswers(ours, theirs)).toEqual(intended);
    expect(compareAnswers(theirs, ours)).toEqual(intended);
  });

  test('do not hide another difference', () => {
    const others = [
      answer(OLD_ASSET.replace('800', '801')),
      answer(OLD_ASSET, 404),
      answer(OLD_ASSET, 200, NEXT),
      // Here, both checkouts have the new members, so the values of these members must be equal.
      answer(EMPTY_ASSET),
    ];
    for (const other of others) expect(compareAnswers(answer(NEW_ASSET), other)).toMatchObject({ kind: 'different' });
  });

  test('are not removed from text values', () => {
    const text = JSON.stringify({ text: NEW_ASSET });
    const other = JSON.stringify({ text: OLD_ASSET });
    expect(compareAnswers(answer(text), answer(other))).toMatchObject({ kind: 'different' });
  });
});

describe('the message of a 422', () => {
  const ours = answer('{"message":"limit must be a \\"whole\\" number"}', 422);

  test('may differ', () => {
    expect(compareAnswers(ours, answer('{"message":"Limit: no."}', 422))).toEqual({
      kind: 'intended',
      name: 'message of a 422',
    });
  });

  test('must not differ if the status or another member also differs', () => {
    const others = [
      answer('{"message":"Limit: no."}', 400),
      answer('{"message":"Limit: no.","code":1}', 422),
      answer('', 422),
    ];
    for (const other of others) expect(compareAnswers(ours, other)).toMatchObject({ kind: 'different' });
    const [notFound, other] = [answer('{"message":"a"}', 404), answer('{"message":"b"}', 404)];
    expect(compareAnswers(notFound, other)).toMatchObject({ kind: 'different' });
  });
});
