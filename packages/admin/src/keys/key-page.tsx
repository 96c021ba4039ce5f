import type { ApiKeyBody } from '@galley/wire';
import { Code, Group, Text } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Facts } from '../elements/facts.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { TimeOrNever, TimeText } from '../elements/time-text.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { KeyFields } from './key-fields.tsx';
import { keepKey, keyQuery } from './key-queries.ts';
import { KeyState, revokeKey } from './key-state.tsx';
import { buildKeyChange, readKeyValues } from './key-values.ts';

const route = getRouteApi('/signed-in/account/keys/$key');

/** Shows a key's name and permissions. A revoked key can no longer be changed. */
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

/** The read-only properties of a key. */
function KeyFacts({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  return (
    <Facts
      facts={[
        { name: KEY_TEXTS.prefix, value: <Code bg="transparent" p={0}>{`${apiKey.prefix}…`}</Code> },
        { name: KEY_TEXTS.created, value: <TimeText value={apiKey.created_at} withTime /> },
        { name: KEY_TEXTS.lastUsed, value: <TimeOrNever value={apiKey.last_used_at} /> },
        { name: KEY_TEXTS.states.revoked, value: apiKey.revoked_at && <TimeText value={apiKey.revoked_at} withTime /> },
      ]}
    />
  );
}

function KeyForm({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: readKeyValues(apiKey),
    submit: (values) =>
      readAnswer(
        api.PATCH('/manage/v1/keys/{key}', {
          params: { path: { key: apiKey.id } },
          body: buildKeyChange(values, apiKey),
        }),
      ),
    onDone: async (changed: ApiKeyBody) => {
      await keepKey(queryClient, changed);
      showToast({ text: KEY_TEXTS.changed });
    },
  });
  return (
    <FormFrame form={form}>
      <KeyFields form={form} />
      <SaveButton form={form} />
    </FormFrame>
  );
}
