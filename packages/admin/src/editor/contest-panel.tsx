// Two editors changed the same parts: both versions side by side, and a choice for each part.

import type { ManagedTypeBody } from '@galley/wire';
import { Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import classes from './contest-panel.module.css';
import type { Contest } from './draft/draft-state.ts';
import { listParts } from './draft/draft-values.ts';
import { useDraft } from './draft-context.ts';
import { namePart } from './name-part.ts';
import { summarisePart } from './summarise-part.ts';

interface ContestPanelProps {
  readonly contest: Contest;
  readonly type: ManagedTypeBody | undefined;
}

export function ContestPanel({ contest, type }: ContestPanelProps) {
  const { draft, state } = useDraft();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const own = listParts(state.values);
  const { version, saved_by } = contest.theirs;
  const all = contest.parts.map(({ path }) => path);
  return (
    <div role="alert">
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
                <Choice value="mine" label={EDITOR_TEXTS.mine} text={summarisePart(own.get(path))} />
                <Choice value="theirs" label={EDITOR_TEXTS.theirs} text={summarisePart(other)} />
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
  readonly text: string;
}

function Choice({ value, label, text }: ChoiceProps) {
  return (
    <div className={classes.choice}>
      <Radio value={value} label={label} />
      <Text size="sm" {...(text === '' ? { c: 'dimmed' } : {})} className={classes.text}>
        {text === '' ? EDITOR_TEXTS.empty : text}
      </Text>
    </div>
  );
}
