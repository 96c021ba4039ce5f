import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { AuthorForm } from './author-form.tsx';

const route = getRouteApi('/signed-in/sites/$site/authors/new');

export function NewAuthorPage() {
  const { site } = route.useParams();
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
