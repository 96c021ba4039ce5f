import type { ManagedAuthorBody } from '@galley/wire';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LinkButton } from '../elements/link-button.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { AuthorPicture } from './author-picture.tsx';
import { authorsKey } from './author-queries.ts';

const TYPING_PAUSE_MS = 400;

/** What is left empty is null. */
export interface AuthorMembers {
  readonly id: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

interface AuthorFormProps {
  readonly site: string;
  /** Undefined for a new one, whose ID can still be chosen. */
  readonly author?: ManagedAuthorBody;
  readonly submitLabel: string;
  readonly submit: (members: AuthorMembers, initial: AuthorMembers) => Promise<ManagedAuthorBody>;
  readonly onSaved: (author: ManagedAuthorBody) => void;
}

export function AuthorForm({ site, author, submitLabel, submit, onSaved }: AuthorFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial: {
      id: '',
      name: author?.name ?? '',
      email: author?.email ?? '',
      profile_photo_url: author?.profile_photo_url ?? '',
    },
    submit: (entered, initial) => submit(buildMembers(entered), buildMembers(initial)),
    onDone: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: authorsKey(site) });
      onSaved(saved);
      await navigate({ to: '/sites/$site/authors', params: { site } });
    },
  });
  const [photo] = useDebouncedValue(values.profile_photo_url, TYPING_PAUSE_MS);
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={message} />
        <TextInput
          label={AUTHOR_TEXTS.name}
          autoFocus={author === undefined}
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        <TextInput
          label={AUTHOR_TEXTS.email}
          description={AUTHOR_TEXTS.emailHelp}
          type="email"
          value={values.email}
          onChange={(event) => set('email', event.currentTarget.value)}
          error={errorOf('email')}
        />
        <Group gap="md" wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            label={AUTHOR_TEXTS.photo}
            description={AUTHOR_TEXTS.photoHelp}
            value={values.profile_photo_url}
            onChange={(event) => set('profile_photo_url', event.currentTarget.value)}
            error={errorOf('profile_photo_url')}
          />
          <AuthorPicture site={site} name={values.name} address={photo} size={56} />
        </Group>
        {author === undefined && (
          <TextInput
            label={AUTHOR_TEXTS.id}
            description={AUTHOR_TEXTS.idHelp}
            value={values.id}
            onChange={(event) => set('id', event.currentTarget.value)}
            error={errorOf('id')}
          />
        )}
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {submitLabel}
          </Button>
          <LinkButton to="/sites/$site/authors" params={{ site }} variant="default">
            {SHELL_TEXTS.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}

function buildMembers({
  id,
  name,
  email,
  profile_photo_url: photo,
}: Record<keyof AuthorMembers, string>): AuthorMembers {
  return { id: orNone(id), name, email: orNone(email), profile_photo_url: orNone(photo) };
}

function orNone(text: string): string | null {
  return text === '' ? null : text;
}
