import type { ManagedAuthorBody } from '@galley/wire';
import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CancelLink } from '../elements/link-button.tsx';
import { FormButtons } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
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
  const form = useApiForm({
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
  const { values, textOf } = form;
  const [photo] = useDebouncedValue(values.profile_photo_url, TYPING_PAUSE_MS);
  return (
    <FormFrame form={form}>
      <TextInput label={AUTHOR_TEXTS.name} autoFocus={author === undefined} {...textOf('name')} />
      <TextInput label={AUTHOR_TEXTS.email} description={AUTHOR_TEXTS.emailHelp} type="email" {...textOf('email')} />
      <Group gap="md" wrap="nowrap" align="flex-end">
        <TextInput
          flex={1}
          label={AUTHOR_TEXTS.photo}
          description={AUTHOR_TEXTS.photoHelp}
          {...textOf('profile_photo_url')}
        />
        <AuthorPicture site={site} name={values.name} address={photo} size={56} />
      </Group>
      {author === undefined && (
        <TextInput label={AUTHOR_TEXTS.id} description={AUTHOR_TEXTS.idHelp} {...textOf('id')} />
      )}
      <FormButtons form={form} label={submitLabel}>
        <CancelLink to="/sites/$site/authors" params={{ site }} />
      </FormButtons>
    </FormFrame>
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
