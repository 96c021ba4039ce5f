// The form of a content object: its values on one side, what it is called and by whom on the other.

import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { typesQuery } from '../content/type-queries.ts';
import { Card } from '../elements/card.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { ContentForm } from './content-form.tsx';
import type { Draft } from './draft/open-draft.ts';
import { useDraft } from './draft-context.ts';
import { EditAside } from './edit-aside.tsx';
import classes from './edit-page.module.css';
import { focusFirstFault } from './focus-first-fault.ts';
import { NameInput } from './name-input.tsx';

const route = getRouteApi('/signed-in/sites/$site/content/$id/');

/** How many of a draft's requests for the focus were met, by this page or by one before it. */
const metRequests = new WeakMap<Draft, number>();

export function EditPage() {
  const { site } = route.useParams();
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const { draft, state } = useDraft();
  const form = useRef<HTMLFormElement>(null);
  const { values, faults, focusRequests, content } = state;
  const isReadOnly = content.state === 'archived';

  useEffect(() => {
    if (form.current === null || focusRequests <= (metRequests.get(draft) ?? 0)) return;
    metRequests.set(draft, focusRequests);
    focusFirstFault(form.current);
  }, [draft, focusRequests]);

  // While somebody writes HTML, an unfinished tag must not disappear. They see the saved text when they leave the field.
  const isSaved = state.status === 'saved';
  useEffect(() => {
    if (isSaved && !isSource(document.activeElement)) draft.showStored();
  }, [draft, isSaved]);

  const type = types.find(({ handle }) => handle === content.content_type);
  return (
    <form
      ref={form}
      className={classes.columns}
      aria-label={EDITOR_TEXTS.form}
      onSubmit={(event) => event.preventDefault()}
      onBlur={({ target }) => {
        if (isSource(target)) draft.showStored();
      }}
    >
      <Card>
        <NameInput isReadOnly={isReadOnly} />
        {type !== undefined && (
          <ContentForm
            site={site}
            type={type}
            types={types}
            fields={values.fields}
            onChange={(fields) => draft.change((known) => ({ ...known, fields }))}
            faults={faults}
            isReadOnly={isReadOnly}
            language={content.language}
          />
        )}
      </Card>
      <EditAside site={site} typeName={type?.name ?? content.content_type} isReadOnly={isReadOnly} />
    </form>
  );
}

function isSource(element: Element | null): boolean {
  return element?.closest('[data-html-source]') != null;
}
