import type { ManagedTypeBody } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { keepType } from '../content/type-queries.ts';
import { showToast } from '../elements/show-toast.tsx';
import { SaveButton } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/pick-changed.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { UriPatternInput } from './uri-pattern-input.tsx';

interface TypeSettingsProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly isReadOnly: boolean;
  /** Whether something was written that is not saved. */
  readonly onChanged: (isChanged: boolean) => void;
}

export function TypeSettings({ site, type, isReadOnly, onChanged }: TypeSettingsProps) {
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
      <TextInput label={TYPE_TEXTS.name} readOnly={isReadOnly} {...textOf('name')} />
      {type.object_type !== 'block' && (
        <UriPatternInput
          isReadOnly={isReadOnly}
          value={values.uri_pattern}
          onChange={(value) => set('uri_pattern', value)}
          error={errorOf('uri_pattern')}
          isOfPages={type.object_type === 'page'}
          {...(isPatternNew ? { note: TYPE_TEXTS.uriChange } : {})}
        />
      )}
      {!isReadOnly && <SaveButton form={form} isMinor />}
    </FormFrame>
  );
}
