// The form for a content object: its fields on one side; its slug, author and details on the other.

import { TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { typesQuery } from '../content/type-queries.ts';
import { Card } from '../elements/card.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { findFault } from '../texts/fault-texts.ts';
import { ContentForm } from './content-form.tsx';
import type { Draft } from './draft/open-draft.ts';
import { EditAside } from './edit-aside.tsx';
import classes from './edit-page.module.css';
import { BY_SCRIPT, type FieldTarget } from './fields/form-context.ts';
import { focusFirstFault, showField } from './fields/show-field.ts';
import { isFieldPath } from './preview/parse-page-message.ts';
import { useDraft, useDraftState } from './use-draft.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id/');

/** The number of focus requests already handled for each draft. */
const metRequests = new WeakMap<Draft, number>();

export function EditPage() {
  const { site } = route.useParams();
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const draft = useDraft();
  const form = useRef<HTMLFormElement>(null);
  const fields = useDraftState(({ values }) => values.fields);
  const faults = useDraftState((state) => state.faults);
  const focusRequests = useDraftState((state) => state.focusRequests);
  const content = useDraftState((state) => state.content);
  const isReadOnly = content.state === 'archived';

  useEffect(() => {
    if (form.current === null || focusRequests <= (metRequests.get(draft) ?? 0)) return;
    metRequests.set(draft, focusRequests);
    focusFirstFault(form.current);
  }, [draft, focusRequests]);

  const target = useTargetInUrl();
  useEffect(() => {
    if (form.current === null || target === undefined) return undefined;
    return showField(form.current, target.path);
  }, [target]);

  // An unfinished tag must not disappear while somebody is editing HTML source. The saved text is shown when they leave the field.
  const isSaved = useDraftState(({ status }) => status === 'saved');
  useEffect(() => {
    if (isSaved && !isSource(document.activeElement)) draft.showStored();
  }, [draft, isSaved]);

  const type = types.find(({ handle }) => handle === content.content_type);
  return (
    <form
      ref={form}
      className={classes.form}
      aria-label={EDITOR_TEXTS.form}
      onSubmit={(event) => event.preventDefault()}
      onBlur={({ target }) => {
        if (isSource(target)) draft.showStored();
      }}
    >
      <div className={classes.columns}>
        <Card>
          <NameInput isReadOnly={isReadOnly} />
          {type !== undefined && (
            <ContentForm
              site={site}
              type={type}
              types={types}
              fields={fields}
              onChange={(next) => draft.change((known) => ({ ...known, fields: next }))}
              faults={faults}
              isReadOnly={isReadOnly}
              language={content.language}
              target={target}
            />
          )}
        </Card>
        <EditAside site={site} typeName={type?.name ?? content.content_type} isReadOnly={isReadOnly} />
      </div>
    </form>
  );
}

/** The field in the URL's fragment, such as `#fields.title`. Each navigation shows the field again. */
function useTargetInUrl(): FieldTarget | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const key = useLocation({ select: ({ state }) => state.__TSR_key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key means a new navigation
  return useMemo(() => (isFieldPath(hash) ? { path: hash } : undefined), [hash, key]);
}

function isSource(element: Element | null): boolean {
  return element?.closest('[data-html-source]') != null;
}

function NameInput({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const draft = useDraft();
  const name = useDraftState(({ values }) => values.name);
  const language = useDraftState(({ content }) => content.language);
  const error = findFault(
    useDraftState(({ faults }) => faults),
    'name',
    EDITOR_TEXTS.name,
  );
  return (
    <TextInput
      label={EDITOR_TEXTS.name}
      withAsterisk
      attributes={BY_SCRIPT}
      lang={language}
      data-path="name"
      readOnly={isReadOnly}
      value={name}
      error={error}
      data-faulty={error === undefined ? undefined : true}
      onChange={({ currentTarget: { value } }) => draft.change((known) => ({ ...known, name: value }))}
    />
  );
}
