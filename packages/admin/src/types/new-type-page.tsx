import type { ObjectType } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { keepType } from '../content/type-queries.ts';
import { Card } from '../elements/card.tsx';
import { CancelLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { followName } from './suggest-handle.ts';
import { ObjectTypeInput } from './type-kind.tsx';
import { UriPatternInput } from './uri-pattern-input.tsx';

const route = getRouteApi('/signed-in/sites/$site/types/new-type');

interface NewType {
  readonly name: string;
  readonly handle: string;
  readonly object_type: ObjectType;
  readonly uri_pattern: string;
}

export function NewTypePage() {
  const { site } = route.useParams();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { data } = useSuspenseQuery(siteQuery(site));
  // The same default as in the API.
  const pattern = data.languages.length > 1 ? '{language}/{slug}' : '{slug}';
  const initial: NewType = { name: '', handle: '', object_type: 'page', uri_pattern: pattern };
  const form = useApiForm({
    initial,
    submit: (type) =>
      readAnswer(api.POST('/manage/v1/sites/{site}/types', { params: { path: { site } }, body: buildBody(type) })),
    onDone: async (type) => {
      await keepType(queryClient, site, type);
      await navigate({ to: '/sites/$site/types/$type', params: { site, type: type.handle } });
    },
  });
  const { values, set, textOf, errorOf } = form;
  return (
    <Page title={TYPE_TEXTS.newTitle} isNarrow>
      <Card>
        <FormFrame form={form}>
          <TextInput
            label={TYPE_TEXTS.name}
            placeholder={TYPE_TEXTS.namePlaceholder}
            autoFocus
            value={values.name}
            onChange={({ currentTarget: { value } }) => {
              set('handle', followName(values, value));
              set('name', value);
            }}
            error={errorOf('name', TYPE_TEXTS.name)}
          />
          <TextInput description={TYPE_TEXTS.handleHelp} {...textOf('handle', TYPE_TEXTS.handle)} />
          <ObjectTypeInput value={values.object_type} onChange={(value) => set('object_type', value)} />
          {values.object_type !== 'block' && (
            <UriPatternInput
              value={values.uri_pattern}
              onChange={(value) => set('uri_pattern', value)}
              error={errorOf('uri_pattern', TYPE_TEXTS.uriPattern)}
              isOfPages={values.object_type === 'page'}
            />
          )}
          <FormButtons form={form} label={TYPE_TEXTS.create}>
            <CancelLink to="/sites/$site/types" params={{ site }} />
          </FormButtons>
        </FormFrame>
      </Card>
    </Page>
  );
}

/** Blocks have no URL. */
function buildBody({ uri_pattern: uriPattern, ...type }: NewType) {
  return type.object_type === 'block' ? type : { ...type, uri_pattern: uriPattern };
}
