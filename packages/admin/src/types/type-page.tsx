import type { ManagedTypeBody } from '@galley/wire';
import { Group, Text, TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { type ApiError, isConflict } from '../api/api-error.ts';
import { keepType, typeQuery, typesQuery } from '../content/type-queries.ts';
import { ContentForm } from '../editor/content-form.tsx';
import type { FieldValues } from '../editor/fields/field-values.ts';
import { AskBeforeLeaving } from '../elements/ask-before-leaving.tsx';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { useIsOwner } from '../session/use-user.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { FIELD_TEXTS, TYPE_TEXTS } from '../texts/type-texts.ts';
import { applyDrafts, useFieldDrafts } from './field-draft.ts';
import { FieldList, TypeFields } from './type-fields.tsx';
import { TypeKind } from './type-kind.tsx';
import classes from './type-page.module.css';
import { UriPatternInput } from './uri-pattern-input.tsx';

const route = getRouteApi('/signed-in/sites/$site/types/$type');

export function TypePage() {
  const { site, type: handle } = route.useParams();
  const { data: type } = useSuspenseQuery(typeQuery(site, handle));
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const isOwner = useIsOwner();
  const { drafts, keepDraft } = useFieldDrafts();
  const [areSettingsChanged, setSettingsChanged] = useState(false);
  // Deferred, so that rendering the preview does not slow down typing.
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

interface FormPreviewProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly types: readonly ManagedTypeBody[];
}

/** A preview of the form that editors will fill in. Values entered here are not kept. */
const FormPreview = memo(function FormPreview({ site, type, types }: FormPreviewProps) {
  const [fields, setFields] = useState<FieldValues>({});
  if (type.fields.length === 0) return <Text c="dimmed">{FIELD_TEXTS.previewEmpty}</Text>;
  return <ContentForm site={site} type={type} types={types} fields={fields} onChange={setFields} />;
});

interface TypeSettingsProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly isReadOnly: boolean;
  /** Called when the form gets its first unsaved change, and when it has no unsaved changes left. */
  readonly onChanged: (isChanged: boolean) => void;
}

function TypeSettings({ site, type, isReadOnly, onChanged }: TypeSettingsProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: { name: type.name, uri_pattern: type.uri_pattern },
    submit: (entered, initial) =>
      readAnswer(
        api.PATCH('/manage/v1/sites/{site}/types/{type}', {
          params: { path: { site, type: type.handle } },
          body: pickChanged(entered, initial),
        }),
      ),
    onDone: async (changed) => {
      await keepType(queryClient, site, changed);
      showToast({ text: SHELL_TEXTS.saved });
    },
  });
  const { values, set, textOf, errorOf, isChanged } = form;
  useEffect(() => {
    onChanged(isChanged);
    return () => onChanged(false);
  }, [isChanged, onChanged]);
  const isPatternNew = values.uri_pattern !== type.uri_pattern;
  return (
    <FormFrame form={form}>
      <TextInput readOnly={isReadOnly} {...textOf('name', TYPE_TEXTS.name)} />
      {type.object_type !== 'block' && (
        <UriPatternInput
          isReadOnly={isReadOnly}
          value={values.uri_pattern}
          onChange={(value) => set('uri_pattern', value)}
          error={errorOf('uri_pattern', TYPE_TEXTS.uriPattern)}
          isOfPages={type.object_type === 'page'}
          {...(isPatternNew ? { note: TYPE_TEXTS.uriChange } : {})}
        />
      )}
      {!isReadOnly && <SaveButton form={form} isMinor />}
    </FormFrame>
  );
}

interface DeleteTypeProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
}

/** Deletes a type. If the type is in use, the dialog lists where. */
function DeleteType({ site, type }: DeleteTypeProps) {
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await readAnswer(
        api.DELETE('/manage/v1/sites/{site}/types/{type}', { params: { path: { site, type: type.handle } } }),
      );
    } catch (error) {
      throw isConflict(error) ? new Error(describeUses(error, type, types), { cause: error }) : error;
    }
    await navigate({ to: '/sites/$site/types', params: { site }, ignoreBlocker: true });
    // Only an inactive query is removed. If this page still used the query, removing it would trigger another request.
    queryClient.removeQueries({ queryKey: typeQuery(site, type.handle).queryKey, type: 'inactive' });
    await queryClient.invalidateQueries({ queryKey: typesQuery(site).queryKey, exact: true });
    showToast({ text: TYPE_TEXTS.removed(type.name) });
  };
  return (
    <DeleteCard
      label={TYPE_TEXTS.remove}
      intro={TYPE_TEXTS.removeIntro}
      question={TYPE_TEXTS.removeTitle(type.name)}
      warning={TYPE_TEXTS.removeText}
      onDelete={remove}
    />
  );
}

function describeUses({ details }: ApiError, type: ManagedTypeBody, types: readonly ManagedTypeBody[]): string {
  const contents = typeof details.contents === 'number' ? details.contents : 0;
  const count = type.object_type === 'block' ? TYPE_TEXTS.usedInContent : TYPE_TEXTS.usedByContent;
  const places = Array.isArray(details.allowed_by) ? details.allowed_by.map(String) : [];
  const uses = [...(contents === 0 ? [] : [count(contents)]), ...places.map((place) => describePlace(place, types))];
  return TYPE_TEXTS.inUse(type.name, uses);
}

/** @param place for example `article.related` */
function describePlace(place: string, types: readonly ManagedTypeBody[]): string {
  const [typeHandle = '', fieldHandle = ''] = place.split('.');
  const type = types.find(({ handle }) => handle === typeHandle);
  const field = type?.fields.find(({ handle }) => handle === fieldHandle);
  return TYPE_TEXTS.usedByField(field?.name ?? fieldHandle, type?.name ?? typeHandle);
}
