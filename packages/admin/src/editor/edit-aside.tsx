import { TextInput } from '@mantine/core';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { Facts } from '../elements/facts.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { AuthorSelect } from './author-select.tsx';
import { useDraft } from './draft-context.ts';
import classes from './edit-page.module.css';
import { findFault } from './say-fault.ts';

interface EditAsideProps {
  readonly site: string;
  readonly typeName: string;
  readonly isReadOnly: boolean;
}

export function EditAside({ site, typeName, isReadOnly }: EditAsideProps) {
  const { draft, state } = useDraft();
  const nameLanguage = useLanguageNames(site);
  const { content, values, faults } = state;
  const slugError = findFault(faults, 'slug', EDITOR_TEXTS.slug);
  return (
    <Card>
      <TextInput
        label={EDITOR_TEXTS.slug}
        description={
          <>
            {EDITOR_TEXTS.addressOf(content.url ?? `/${content.path}`)}
            {values.slug === null && slugError === undefined && (
              <span className={classes.hint}>{EDITOR_TEXTS.slugFollows}</span>
            )}
          </>
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ description: classes.address }}
        readOnly={isReadOnly}
        value={values.slug ?? content.slug}
        error={slugError}
        data-faulty={slugError === undefined ? undefined : true}
        onChange={({ currentTarget: { value } }) => draft.change((known) => ({ ...known, slug: value }))}
        onBlur={() => {
          if (values.slug !== '') return;
          const slug = content.state === 'draft' ? null : content.slug;
          draft.change((known) => ({ ...known, slug }));
        }}
      />
      <AuthorSelect
        site={site}
        value={values.author}
        known={{ id: content.author, name: content.author_name }}
        error={findFault(faults, 'author', EDITOR_TEXTS.author)}
        isReadOnly={isReadOnly}
        onChange={(author) => draft.change((known) => ({ ...known, author }))}
      />
      <Facts
        isNarrow
        facts={[
          { name: EDITOR_TEXTS.contentType, value: typeName },
          { name: EDITOR_TEXTS.language, value: nameLanguage(content.language) },
          { name: EDITOR_TEXTS.version, value: content.version },
          { name: EDITOR_TEXTS.lastSaved, value: <TimeText value={content.updated_at} withTime /> },
          { name: EDITOR_TEXTS.savedBy, value: content.saved_by?.name ?? null },
          {
            name: EDITOR_TEXTS.publishedAt,
            value: content.published_at && <TimeText value={content.published_at} withTime />,
          },
          { name: EDITOR_TEXTS.id, value: <CopyableId id={content.id} what={EDITOR_TEXTS.contentId} /> },
        ]}
      />
    </Card>
  );
}
