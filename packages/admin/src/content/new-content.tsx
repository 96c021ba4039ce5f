// Creates content with a type, a language and a name, and opens it in the editor. On a site without content types, shows a hint.

import type { ManagedTypeBody, SiteBody } from '@galley/wire';
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { FormMessage } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { useIsOwner } from '../session/use-user.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { nameLanguage } from '../texts/language-name.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

interface NewContentProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly site: SiteBody;
  readonly types: readonly ManagedTypeBody[];
  /** The type that is selected initially. */
  readonly type?: string | undefined;
}

export function NewContent({ isOpen, onClose, ...props }: NewContentProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={CONTENT_TEXTS.newTitle}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <NewContentForm {...props} onClose={onClose} />
    </Modal>
  );
}

function NewContentForm({ site, types, type, onClose }: Omit<NewContentProps, 'isOpen'>) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, values, set, textOf, errorOf, message, isPending } = useApiForm({
    initial: {
      content_type: type ?? types[0]?.handle ?? '',
      language: site.default_language,
      name: '',
    },
    submit: (body) =>
      readAnswer(api.POST('/manage/v1/sites/{site}/content', { params: { path: { site: site.id } }, body })),
    onDone: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['sites', site.id, 'content'] });
      await navigate({ to: '/sites/$site/content/$id', params: { site: site.id, id } });
    },
  });
  return (
    <form {...form}>
      <Stack gap="md">
        <Text c="dimmed">{CONTENT_TEXTS.newText}</Text>
        <FormMessage message={message} />
        <TextInput data-autofocus {...textOf('name', CONTENT_TEXTS.name)} />
        <Select
          label={CONTENT_TEXTS.type}
          data={types.map(({ handle, name }) => ({ value: handle, label: name }))}
          value={values.content_type}
          onChange={(handle) => handle !== null && set('content_type', handle)}
          error={errorOf('content_type', CONTENT_TEXTS.type)}
          searchable={types.length > 8}
          allowDeselect={false}
        />
        {site.languages.length > 1 && (
          <Select
            label={CONTENT_TEXTS.language}
            data={site.languages.map((tag) => ({ value: tag, label: nameLanguage(tag, site.languages) }))}
            value={values.language}
            onChange={(language) => language !== null && set('language', language)}
            error={errorOf('language', CONTENT_TEXTS.language)}
            allowDeselect={false}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {SHELL_TEXTS.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {CONTENT_TEXTS.createAndOpen}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NoTypesProps {
  readonly site: string;
  readonly title: string;
}

/** Shown on a site without content types. Owners can create the first one. */
export function NoTypes({ site, title }: NoTypesProps) {
  const isOwner = useIsOwner();
  if (!isOwner) return <EmptyState title={title} text={CONTENT_TEXTS.noTypesText} />;
  const create = (
    <LinkButton to="/sites/$site/types/new-type" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {TYPE_TEXTS.newTitle}
    </LinkButton>
  );
  return <EmptyState title={title} text={TYPE_TEXTS.emptyText} action={create} />;
}
