// Creates links that show the newest saved version to people without an account, and lists the links that are still valid.

import type { NewShareLinkBody, PreviewSettingsBody, ShareLinkBody } from '@galley/wire';
import { Alert, Button, Loader, Modal, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { CodeBlock } from '../../elements/copyable.tsx';
import { type Column, DataTable } from '../../elements/data-table.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { TimeText } from '../../elements/time-text.tsx';
import { describeError } from '../../forms/describe-error.ts';
import { FormButtons, FormFrame, FormMessage } from '../../forms/form-frame.tsx';
import { useApiForm } from '../../forms/use-api-form.ts';
import { SHARE_TEXTS } from '../../texts/preview-texts.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { createShareLink, revokeShareLink, shareLinksQuery } from './preview-queries.ts';
import { usePreviewView } from './preview-view.ts';
import classes from './share-dialog.module.css';

const DURATIONS = Object.entries(SHARE_TEXTS.durations).map(([value, label]) => ({ value, label }));
const DEFAULT_HOURS = '168';

type Address = PreviewSettingsBody['addresses'][number];

interface ShareDialogProps {
  readonly site: string;
  /** The ID of the content. */
  readonly content: string;
  readonly addresses: readonly Address[];
  readonly onClose: () => void;
}

export function ShareDialog({ site, content, addresses, onClose }: ShareDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={SHARE_TEXTS.title}
      size="lg"
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack gap="lg">
        <NewLink site={site} content={content} addresses={addresses} />
        <LinkList site={site} content={content} />
      </Stack>
    </Modal>
  );
}

function NewLink({ site, content, addresses }: Omit<ShareDialogProps, 'onClose'>) {
  const queryClient = useQueryClient();
  const view = usePreviewView();
  const chosen = addresses.find(({ id }) => id === view.addresses[site]) ?? addresses[0];
  const create = useMutation({
    mutationFn: (values: { readonly address: string; readonly hours: string }): Promise<NewShareLinkBody> =>
      createShareLink(site, content, { address: values.address, hours: Number(values.hours) }),
    gcTime: 0,
  });
  const form = useApiForm({
    initial: { address: chosen?.id ?? '', hours: DEFAULT_HOURS },
    submit: (values) => create.mutateAsync(values),
    onDone: () => queryClient.invalidateQueries({ queryKey: shareLinksQuery(site, content).queryKey }),
  });
  const { values, set, errorOf } = form;
  const address = addresses.find(({ id }) => id === values.address);
  const cannotShare = address?.can_share === false;
  return (
    <FormFrame form={form}>
      <Text size="sm">{SHARE_TEXTS.intro}</Text>
      <Text size="sm" c="dimmed">
        {SHARE_TEXTS.needs}
      </Text>
      <div className={classes.choices}>
        {addresses.length > 1 && (
          <Select
            label={SHARE_TEXTS.address}
            allowDeselect={false}
            data={addresses.map(({ id, name }) => ({ value: id, label: name }))}
            value={values.address}
            onChange={(id) => {
              if (id !== null) set('address', id);
            }}
            error={errorOf('address', SHARE_TEXTS.address)}
          />
        )}
        <Select
          label={SHARE_TEXTS.duration}
          allowDeselect={false}
          data={DURATIONS}
          value={values.hours}
          onChange={(hours) => {
            if (hours !== null) set('hours', hours);
          }}
          error={errorOf('hours', SHARE_TEXTS.duration)}
        />
      </div>
      {cannotShare ? (
        <Alert color="yellow" role="status">
          {SHARE_TEXTS.cannotShare(address.name)}
        </Alert>
      ) : (
        <FormButtons form={form} label={SHARE_TEXTS.create} />
      )}
      {create.data !== undefined && (
        <div role="status">
          <CodeBlock label={SHARE_TEXTS.created} what={SHARE_TEXTS.link} code={create.data.url} />
          <Text size="xs" c="dimmed" mt={4}>
            {SHARE_TEXTS.createdHint}
          </Text>
        </div>
      )}
    </FormFrame>
  );
}

function LinkList({ site, content }: Pick<ShareDialogProps, 'site' | 'content'>) {
  const queryClient = useQueryClient();
  const titleId = useId();
  const query = useQuery(shareLinksQuery(site, content));
  const revoke = useMutation({
    mutationFn: ({ id }: ShareLinkBody) => revokeShareLink(site, content, id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: shareLinksQuery(site, content).queryKey });
      showToast({ text: SHARE_TEXTS.revoked });
    },
  });
  const error = query.error ?? revoke.error;
  const columns: readonly Column<ShareLinkBody>[] = [
    { header: SHARE_TEXTS.address, isName: true, cell: ({ address_name: name }) => name },
    { header: SHARE_TEXTS.by, cell: ({ created_by: by }) => by.name },
    { header: SHARE_TEXTS.expires, cell: ({ expires_at: at }) => <TimeText value={at} withTime /> },
    {
      header: SHARE_TEXTS.actions,
      isAction: true,
      cell: (link) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          aria-label={SHARE_TEXTS.revokeOf(link.address_name)}
          loading={revoke.isPending && revoke.variables === link}
          onClick={() => revoke.mutate(link)}
        >
          {SHARE_TEXTS.revoke}
        </Button>
      ),
    },
  ];
  return (
    <section aria-labelledby={titleId}>
      <Title order={3} id={titleId} mb="xs">
        {SHARE_TEXTS.list}
      </Title>
      <FormMessage message={error === null ? undefined : describeError(error)} />
      {query.isPending && <Loader size="sm" aria-label={SHELL_TEXTS.loading} />}
      {query.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {SHARE_TEXTS.none}
        </Text>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <DataTable label={SHARE_TEXTS.list} columns={columns} rows={query.data} keyOf={({ id }) => id} />
      )}
    </section>
  );
}
