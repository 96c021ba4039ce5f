// Compares the selected version with the previous or the latest one, and offers to restore the selected version.

import type { ManagedContentBody, ManagedTypeBody } from '@galley/wire';
import { Alert, Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRestore } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { namePart } from '../../content/say-fault.ts';
import { doForNewest, restoreVersion } from '../../editor/content-calls.ts';
import { saveFirst, useDraft } from '../../editor/use-draft.ts';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { ChangeList } from './change-list.tsx';
import classes from './version-comparison.module.css';

interface VersionComparisonProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly types: readonly ManagedTypeBody[];
  /** The number of the version that is shown. */
  readonly chosen: number;
  /** The number of the previous version; for the first version, its own number. */
  readonly before: number;
  /** Whether there are several saves between the two versions. */
  readonly isSitting: boolean;
  readonly isAgainstNewest: boolean;
}

export function VersionComparison(props: VersionComparisonProps) {
  const { site, content, types, chosen, before, isSitting, isAgainstNewest } = props;
  const [isAsking, { open, close }] = useDisclosure(false);
  /** The names of the parts whose old values are no longer valid. */
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const draft = useDraft();
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
    const type = types.find(({ handle }) => handle === content.content_type);
    setLeftOut([...new Set(restored.left_out.map(({ path }) => namePart(path, type)))]);
    showToast({ text: TAB_TEXTS.restored(chosen) });
    await navigate({ search: {}, replace: true, resetScroll: false });
  };

  const isNewest = chosen === content.version;
  return (
    <section className={classes.frame} aria-labelledby="version-heading">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="version-heading">
          {TAB_TEXTS.versionOf(chosen)}
        </Title>
        {!isNewest && content.state !== 'archived' && (
          <Button variant="default" leftSection={<IconRestore size={16} aria-hidden />} onClick={open}>
            {TAB_TEXTS.restore}
          </Button>
        )}
      </Group>
      {leftOut.length > 0 && (
        <Alert color="yellow" variant="light" role="status">
          {TAB_TEXTS.leftOut(leftOut)}
        </Alert>
      )}
      <Group gap="xs">
        <Text size="sm" c="dimmed" aria-hidden>
          {TAB_TEXTS.compareWith}
        </Text>
        <SegmentedControl
          aria-label={TAB_TEXTS.compareWith}
          size="xs"
          value={isAgainstNewest ? 'newest' : 'before'}
          onChange={(against) => compareWith(against === 'newest' ? against : undefined)}
          data={[
            { value: 'before', label: isSitting ? TAB_TEXTS.withBeforeSaves : TAB_TEXTS.withBefore },
            { value: 'newest', label: TAB_TEXTS.withNewest },
          ]}
        />
      </Group>
      {isAgainstNewest && isNewest && <Text c="dimmed">{TAB_TEXTS.isNewest}</Text>}
      {!isAgainstNewest && before === chosen && <Text c="dimmed">{TAB_TEXTS.firstVersion}</Text>}
      {isAgainstNewest && !isNewest && (
        <ChangeList site={site} content={content} types={types} from={chosen} to={content.version} />
      )}
      {!isAgainstNewest && before < chosen && (
        <ChangeList site={site} content={content} types={types} from={before} to={chosen} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        isHarmless
        title={TAB_TEXTS.restoreTitle(chosen)}
        text={TAB_TEXTS.restoreText}
        confirmLabel={TAB_TEXTS.restoreConfirm}
        onConfirm={restore}
        onClose={close}
      />
    </section>
  );
}
