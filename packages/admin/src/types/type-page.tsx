import { Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { typeQuery, typesQuery } from '../content/type-queries.ts';
import { AskBeforeLeaving } from '../elements/ask-before-leaving.tsx';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { Page } from '../elements/page.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { DeleteType } from './delete-type.tsx';
import { FieldList } from './field-list.tsx';
import { FormPreview } from './form-preview.tsx';
import { TypeFields } from './type-fields.tsx';
import { TypeKind } from './type-kind.tsx';
import classes from './type-page.module.css';
import { TypeSettings } from './type-settings.tsx';
import { applyDrafts, useFieldDrafts } from './use-field-drafts.ts';

const route = getRouteApi('/signed-in/sites/$site/types/$type');

export function TypePage() {
  const { site, type: handle } = route.useParams();
  const { data: type } = useSuspenseQuery(typeQuery(site, handle));
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const isOwner = useIsOwner();
  const { drafts, keepDraft } = useFieldDrafts();
  const [areSettingsChanged, setSettingsChanged] = useState(false);
  // Typing goes first; the preview follows.
  const settled = useDeferredValue(drafts);
  const previewed = useMemo(() => ({ ...type, fields: applyDrafts(type.fields, settled) }), [type, settled]);
  const isChanged = [...drafts.values()].some((draft) => draft.isChanged);
  return (
    <Page
      title={type.name}
      intro={isOwner ? undefined : TYPE_TEXTS.readOnly}
      actions={
        <Group gap="sm">
          <TypeKind kind={type.object_type} />
          <CopyableId id={type.handle} what={TYPE_TEXTS.handleCode} />
        </Group>
      }
    >
      <div className={classes.columns} key={`${site} ${handle}`}>
        <div className={classes.fields}>
          <Card title={FIELD_TEXTS.listTitle} intro={FIELD_TEXTS.listIntro}>
            {isOwner ? (
              <TypeFields site={site} type={type} types={types} keepDraft={keepDraft} />
            ) : (
              <FieldList fields={type.fields} types={types} />
            )}
          </Card>
        </div>
        <div className={classes.preview}>
          <Card title={FIELD_TEXTS.previewTitle} intro={FIELD_TEXTS.previewIntro}>
            <FormPreview site={site} type={previewed} types={types} />
          </Card>
        </div>
        <div className={classes.rest}>
          <Card title={TYPE_TEXTS.general}>
            <TypeSettings site={site} type={type} isReadOnly={!isOwner} onChanged={setSettingsChanged} />
          </Card>
          {isOwner && <DeleteType site={site} type={type} />}
        </div>
      </div>
      <AskBeforeLeaving isChanged={isChanged || areSettingsChanged} text={FIELD_TEXTS.leaveText} />
    </Page>
  );
}
