import { AUDIT_TEXTS } from '../texts/audit-texts.ts';

type Noun = keyof typeof AUDIT_TEXTS.groups;

/** All actions as choices, put together by what they are done to. */
export function listActionGroups() {
  const actions = Object.entries(AUDIT_TEXTS.actions).map(([action, { label }]) => ({
    value: `action:${action}`,
    label,
  }));
  const nouns = Object.entries(AUDIT_TEXTS.groups);
  const titles = [...new Set(nouns.map(([, title]) => title))];
  return titles.map((title) => ({
    group: AUDIT_TEXTS.doneIn(title),
    items: actions.filter(({ value }) => findTitle(value) === title),
  }));
}

function findTitle(value: string): string | undefined {
  const noun = /^action:(\w+)\./.exec(value)?.[1] ?? '';
  return isNoun(noun) ? AUDIT_TEXTS.groups[noun] : undefined;
}

function isNoun(noun: string): noun is Noun {
  return Object.hasOwn(AUDIT_TEXTS.groups, noun);
}
