// The page for an author, and the page that creates one. Both use the same form.

import type { ManagedAuthorBody } from '@galley/wire';
import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { CancelLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { AuthorPicture } from './author-picture.tsx';
import { authorQuery, authorsKey } from './author-queries.ts';
import { DeleteAuthor } from './delete-author.tsx';

const authorRoute = getRouteApi('/signed-in/sites/$site/authors/$author');

export function AuthorPage() {
  const path = authorRoute.useParams();
  const { site, author: id } = path;
  const { data: author } = useSuspenseQuery(authorQuery(site, id));
  return (
    <Page title={author.name} actions={<CopyableId id={author.id} what={AUTHOR_TEXTS.authorId} />} isNarrow>
      <Card>
        <AuthorForm
          key={author.id}
          site={site}
          author={author}
          submitLabel={SHELL_TEXTS.save}
          submit={({ id: _, ...members }, { id: __, ...initial }) =>
            readAnswer(
              api.PATCH('/manage/v1/sites/{site}/authors/{author}', {
                params: { path },
                body: pickChanged(members, initial),
              }),
            )
          }
          onSaved={() => showToast({ text: SHELL_TEXTS.saved })}
        />
      </Card>
      <DeleteAuthor site={site} author={author} />
    </Page>
  );
}

const newAuthorRoute = getRouteApi('/signed-in/sites/$site/authors/new');

export function NewAuthorPage() {
  const { site } = newAuthorRoute.useParams();
  return (
    <Page title={AUTHOR_TEXTS.newTitle} isNarrow>
      <Card>
        <AuthorForm
          site={site}
          submitLabel={AUTHOR_TEXTS.create}
          submit={(body) =>
            readAnswer(api.POST('/manage/v1/sites/{site}/authors', { params: { path: { site } }, body }))
          }
          onSaved={({ name }) => showToast({ text: AUTHOR_TEXTS.created(name) })}
        />
      </Card>
    </Page>
  );
}

const TYPING_PAUSE_MS = 400;

/** Empty inputs are null. */
interface AuthorMembers {
  readonly id: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

interface AuthorFormProps {
  readonly site: string;
  /** Undefined for a new author, whose ID can still be set. */
  readonly author?: ManagedAuthorBody;
  readonly submitLabel: string;
  readonly submit: (members: AuthorMembers, initial: AuthorMembers) => Promise<ManagedAuthorBody>;
  readonly onSaved: (author: ManagedAuthorBody) => void;
}

function AuthorForm({ site, author, submitLabel, submit, onSaved }: AuthorFormProps) {
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
      <TextInput autoFocus={author === undefined} {...textOf('name', AUTHOR_TEXTS.name)} />
      <TextInput description={AUTHOR_TEXTS.emailHelp} type="email" {...textOf('email', AUTHOR_TEXTS.email)} />
      <Group gap="md" wrap="nowrap" align="flex-end">
        <TextInput flex={1} description={AUTHOR_TEXTS.photoHelp} {...textOf('profile_photo_url', AUTHOR_TEXTS.photo)} />
        <AuthorPicture site={site} name={values.name} address={photo} size={56} />
      </Group>
      {author === undefined && <TextInput description={AUTHOR_TEXTS.idHelp} {...textOf('id', AUTHOR_TEXTS.id)} />}
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
