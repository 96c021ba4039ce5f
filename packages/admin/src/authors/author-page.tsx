import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { pickChanged } from '../forms/pick-changed.ts';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { AuthorForm } from './author-form.tsx';
import { authorQuery } from './author-queries.ts';
import { DeleteAuthor } from './delete-author.tsx';

const route = getRouteApi('/signed-in/sites/$site/authors/$author');

export function AuthorPage() {
  const path = route.useParams();
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
