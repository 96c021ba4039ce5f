// Shows the parts that both editors changed. For each part, shows the two versions side by side and lets this editor choose one.

import type { ManagedTypeBody } from '@galley/wire';
import { Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { namePart } from '../content/say-fault.ts';
import { Card } from '../elements/card.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import classes from './contest-panel.module.css';
import type { Contest } from './draft/draft-state.ts';
import { listParts, summarisePart } from './draft/draft-values.ts';
import { AuthorName, FieldValueText } from './fields/field-value-text.tsx';
import { useDraft, useDraftState } from './use-draft.ts';

interface ContestPanelProps {
  readonly site: string;
  readonly contest: Contest;
  readonly type: ManagedTypeBody | undefined;
  readonly types: readonly ManagedTypeBody[];
}

const ID = 'contest';

/** Scrolls to the choice and focuses it. */
export function showContest(): void {
  const panel = document.getElementById(ID);
  panel?.scrollIntoView({ block: 'start' });
  panel?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
}

export function ContestPanel({ site, contest, type, types }: ContestPanelProps) {
  const draft = useDraft();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const own = listParts(useDraftState(({ values }) => values));
  const { version, saved_by } = contest.theirs;
  const all = contest.parts.map(({ path }) => path);
  return (
    <div role="alert" id={ID} className={classes.panel}>
      <Card
        title={EDITOR_TEXTS.contestTitle(saved_by?.name ?? EDITOR_TEXTS.anImport)}
        intro={EDITOR_TEXTS.contestText(version)}
      >
        <Stack gap="md">
          {contest.parts.map(({ path, theirs: other }) => (
            <Radio.Group
              key={path}
              label={namePart(path, type)}
              value={theirs.has(path) ? 'theirs' : 'mine'}
              onChange={(choice) =>
                setTheirs(choice === 'theirs' ? theirs.union(new Set([path])) : theirs.difference(new Set([path])))
              }
            >
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={4}>
                <Choice value="mine" label={EDITOR_TEXTS.mine}>
                  <PartText path={path} value={own.get(path)} {...{ site, type, types }} />
                </Choice>
                <Choice value="theirs" label={EDITOR_TEXTS.theirs}>
                  <PartText path={path} value={other} {...{ site, type, types }} />
                </Choice>
              </SimpleGrid>
            </Radio.Group>
          ))}
          <Group gap="xs">
            <Button onClick={() => draft.settleContest(theirs)}>{EDITOR_TEXTS.settle}</Button>
            <Button variant="default" onClick={() => draft.settleContest([])}>
              {EDITOR_TEXTS.keepMine}
            </Button>
            <Button variant="default" onClick={() => draft.settleContest(all)}>
              {EDITOR_TEXTS.takeTheirs}
            </Button>
          </Group>
        </Stack>
      </Card>
    </div>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly children: ReactNode;
}

function Choice({ value, label, children }: ChoiceProps) {
  return (
    <div className={classes.choice}>
      <Radio value={value} label={label} />
      <div className={classes.text}>{children}</div>
    </div>
  );
}

interface PartTextProps extends Omit<ContestPanelProps, 'contest'> {
  readonly path: string;
  readonly value: unknown;
}

function PartText({ site, path, value, type, types }: PartTextProps) {
  const field = type?.fields.find(({ handle }) => path === `fields.${handle}`);
  if (field !== undefined) return <FieldValueText site={site} types={types} field={field} value={value} />;
  if (path === 'author' && typeof value === 'string') return <AuthorName site={site} id={value} />;
  const text = summarisePart(value);
  return text === '' ? <Text c="dimmed">{EDITOR_TEXTS.empty}</Text> : text;
}
