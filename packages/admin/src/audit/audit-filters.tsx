import '@mantine/dates/styles.css';
import { Group, Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sitesQuery } from '../sites/site-queries.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { tokensQuery } from '../tokens/token-queries.ts';
import { usersQuery } from '../users/user-queries.ts';
import { type AuditSearch, decodeFilter, encodeFilter } from './audit-search.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** The inputs for the last day to show and for a filter by person, token, site or action. The API accepts only one such filter. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { data: users } = useSuspenseQuery(usersQuery);
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const groups = [
    { group: AUDIT_TEXTS.people, items: listItems('actor', users) },
    { group: AUDIT_TEXTS.tokens, items: listItems('actor', tokens) },
    { group: AUDIT_TEXTS.sites, items: listItems('site', sites) },
    ...listActionGroups(),
  ];
  return (
    <Group gap="xs">
      <Select
        w={{ base: '100%', xs: 280 }}
        label={AUDIT_TEXTS.show}
        placeholder={AUDIT_TEXTS.everything}
        data={groups.filter(({ items }) => items.length > 0)}
        value={encodeFilter(search)}
        onChange={(chosen) => onChange({ ...decodeFilter(chosen), day: search.day })}
        searchable
        clearable
        maxDropdownHeight={360}
      />
      <DatePickerInput
        w={{ base: '100%', xs: 200 }}
        label={AUDIT_TEXTS.until}
        placeholder={AUDIT_TEXTS.untilAny}
        leftSection={<IconCalendar size={16} aria-hidden />}
        valueFormat="MMM D, YYYY"
        maxDate={new Date()}
        value={search.day ?? null}
        onChange={(day) => onChange({ ...search, day: day ?? undefined })}
        clearable
      />
    </Group>
  );
}

function listItems(member: 'actor' | 'site', things: readonly { readonly id: string; readonly name: string }[]) {
  return things.map(({ id, name }) => ({ value: `${member}:${id}`, label: name }));
}

type Noun = keyof typeof AUDIT_TEXTS.groups;

/** The options for the action filter, grouped by what the actions change. */
function listActionGroups() {
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
