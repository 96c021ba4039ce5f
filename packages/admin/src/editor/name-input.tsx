import { TextInput } from '@mantine/core';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { useDraft } from './draft-context.ts';
import { BY_SCRIPT } from './fields/describe-field.ts';
import { findFault } from './say-fault.ts';

export function NameInput({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { draft, state } = useDraft();
  const error = findFault(state.faults, 'name', EDITOR_TEXTS.name);
  return (
    <TextInput
      label={EDITOR_TEXTS.name}
      withAsterisk
      attributes={BY_SCRIPT}
      lang={state.content.language}
      readOnly={isReadOnly}
      value={state.values.name}
      error={error}
      data-faulty={error === undefined ? undefined : true}
      onChange={({ currentTarget: { value } }) => draft.change((known) => ({ ...known, name: value }))}
    />
  );
}
