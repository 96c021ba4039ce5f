import { TextInput } from '@mantine/core';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { AuthorSelect } from './author-select.tsx';
import { useDraft } from './draft-context.ts';
import classes from './edit-page.module.css';
import { findFault } from './find-fault.ts';

interface EditAsideProps {
  readonly site: string;
  readonly typeName: string;
  readonly isReadOnly: boolean;
}

export function EditAside({ site, typeName, isReadOnly }: EditAsideProps) {
  const { draft, state } = useDraft();
  const { content, values, faults } = state;
  const slugError = findFault(faults, 'slug');
  return (
    <Card>
      <TextInput
        label={EDITOR_TEXTS.slug}
        description={EDITOR_TEXTS.addressOf(content.url ?? content.path)}
        classNames={{ description: classes.address }}
        readOnly={isReadOnly}
        value={values.slug}
        error={slugError}
        data-faulty={slugError === undefined ? undefined : true}
        onChange={({ currentTarget: { value } }) => draft.change((known) => ({ ...known, slug: value }))}
      />
      <AuthorSelect
        site={site}
        value={values.author}
        known={{ id: content.author, name: content.author_name }}
        error={findFault(faults, 'author')}
        isReadOnly={isReadOnly}
        onChange={(author) => draft.change((known) => ({ ...known, author }))}
      />
      <dl className={classes.facts}>
        <dt>{EDITOR_TEXTS.contentType}</dt>
        <dd>{typeName}</dd>
        <dt>{EDITOR_TEXTS.language}</dt>
        <dd>{content.language}</dd>
        <dt>{EDITOR_TEXTS.version}</dt>
        <dd>{content.version}</dd>
        <dt>{EDITOR_TEXTS.lastSaved}</dt>
        <dd>
          <TimeText value={content.updated_at} withTime />
        </dd>
        {content.saved_by !== null && (
          <>
            <dt>{EDITOR_TEXTS.savedBy}</dt>
            <dd>{content.saved_by.name}</dd>
          </>
        )}
        {content.published_at !== null && (
          <>
            <dt>{EDITOR_TEXTS.publishedAt}</dt>
            <dd>
              <TimeText value={content.published_at} withTime />
            </dd>
          </>
        )}
        <dt>{EDITOR_TEXTS.id}</dt>
        <dd>
          <CopyableId id={content.id} what={EDITOR_TEXTS.contentId} />
        </dd>
      </dl>
    </Card>
  );
}
