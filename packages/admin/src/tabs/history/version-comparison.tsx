// One version, held against the one before it or the newest, and the way back to it.

import type { ManagedContentBody, ManagedTypeBody, RestoredVersionBody } from '@galley/wire';
import { Alert, Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRestore } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { doForNewest } from '../../editor/do-for-newest.ts';
import { useDraft } from '../../editor/draft-context.ts';
import { restoreVersion } from '../../editor/lifecycle-calls.ts';
import { saveFirst } from '../../editor/save-first.ts';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { HISTORY_TEXTS } from '../../texts/history-texts.ts';
import { ChangeList } from './change-list.tsx';
import classes from './version-comparison.module.css';

interface VersionComparisonProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly types: readonly ManagedTypeBody[];
  /** The number of the version that is looked at. */
  readonly chosen: number;
  /** The number of the version that it came after; its own, where there is none. */
  readonly before: number;
  /** Whether several saves lie between the two. */
  readonly isSitting: boolean;
  readonly isAgainstNewest: boolean;
}

export function VersionComparison(props: VersionComparisonProps) {
  const { site, content, types, chosen, before, isSitting, isAgainstNewest } = props;
  const [isAsking, { open, close }] = useDisclosure(false);
  const [leftOut, setLeftOut] = useState<RestoredVersionBody['left_out']>([]);
  const { draft } = useDraft();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/sites/$site/content/$id/history' });
  const compareWith = (against: 'newest' | undefined): Promise<void> =>
    navigate({ search: ({ alone }) => ({ version: chosen, against, alone }), replace: true, resetScroll: false });

  const restore = async (): Promise<void> => {
    await saveFirst(draft);
    const restored = await doForNewest(queryClient, site, content.id, () =>
      restoreVersion(site, content.id, chosen, draft.read().content.version),
    );
    await queryClient.invalidateQueries({ queryKey: ['sites', site, 'content'] });
    setLeftOut(restored.left_out);
    showToast({ text: HISTORY_TEXTS.restored(chosen) });
    await navigate({ search: {}, replace: true, resetScroll: false });
  };

  const isNewest = chosen === content.version;
  return (
    <section className={classes.frame} aria-labelledby="version-heading">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="version-heading">
          {HISTORY_TEXTS.versionOf(chosen)}
        </Title>
        {!isNewest && content.state !== 'archived' && (
          <Button variant="default" leftSection={<IconRestore size={16} aria-hidden />} onClick={open}>
            {HISTORY_TEXTS.restore}
          </Button>
        )}
      </Group>
      {leftOut.length > 0 && (
        <Alert color="yellow" variant="light" role="status" title={HISTORY_TEXTS.leftOut}>
          <ul className={classes.leftOut}>
            {leftOut.map(({ path, message }) => (
              <li key={path}>{`${path} ${message}`}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Group gap="xs">
        <Text size="sm" c="dimmed" aria-hidden>
          {HISTORY_TEXTS.compareWith}
        </Text>
        <SegmentedControl
          aria-label={HISTORY_TEXTS.compareWith}
          size="xs"
          value={isAgainstNewest ? 'newest' : 'before'}
          onChange={(against) => compareWith(against === 'newest' ? against : undefined)}
          data={[
            { value: 'before', label: isSitting ? HISTORY_TEXTS.withBeforeSaves : HISTORY_TEXTS.withBefore },
            { value: 'newest', label: HISTORY_TEXTS.withNewest },
          ]}
        />
      </Group>
      {isAgainstNewest && isNewest && <Text c="dimmed">{HISTORY_TEXTS.isNewest}</Text>}
      {!isAgainstNewest && before === chosen && <Text c="dimmed">{HISTORY_TEXTS.firstVersion}</Text>}
      {isAgainstNewest && !isNewest && (
        <ChangeList site={site} content={content} types={types} from={chosen} to={content.version} />
      )}
      {!isAgainstNewest && before < chosen && (
        <ChangeList site={site} content={content} types={types} from={before} to={chosen} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        isHarmless
        title={HISTORY_TEXTS.restoreTitle(chosen)}
        text={HISTORY_TEXTS.restoreText}
        confirmLabel={HISTORY_TEXTS.restoreConfirm}
        onConfirm={restore}
        onClose={close}
      />
    </section>
  );
}
