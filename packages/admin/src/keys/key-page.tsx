import { Group, Text } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Page } from '../elements/page.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { KeyFacts } from './key-facts.tsx';
import { KeyForm } from './key-form.tsx';
import { keyQuery } from './key-queries.ts';
import { KeyState } from './key-state.tsx';
import { revokeKey } from './revoke-key.ts';

const route = getRouteApi('/signed-in/account/keys/$key');

/** What a key may do, for as long as it may do anything. */
export function KeyPage() {
  const { key: id } = route.useParams();
  const { data: key } = useSuspenseQuery(keyQuery(id));
  const queryClient = useQueryClient();
  const isRevoked = key.revoked_at !== null;
  return (
    <Page
      title={key.name}
      actions={
        <Group gap="sm">
          <KeyState apiKey={key} />
          <CopyableId id={key.id} what={KEY_TEXTS.id} />
        </Group>
      }
      isNarrow
    >
      <Card>
        <KeyFacts apiKey={key} />
        {isRevoked && <Text c="dimmed">{KEY_TEXTS.isRevoked}</Text>}
      </Card>
      {!isRevoked && (
        <>
          <Card title={KEY_TEXTS.rights} intro={KEY_TEXTS.rightsIntro}>
            <KeyForm key={key.id} apiKey={key} />
          </Card>
          <DeleteCard
            label={KEY_TEXTS.revokeKey}
            intro={KEY_TEXTS.revokeIntro}
            question={KEY_TEXTS.revokeTitle(key.name)}
            warning={KEY_TEXTS.revokeText}
            onDelete={() => revokeKey(queryClient, key)}
          />
        </>
      )}
    </Page>
  );
}
