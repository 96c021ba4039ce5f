import type { NewApiKeyBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { CancelLink } from '../elements/link-button.tsx';
import { FormButtons } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { KeyFields } from './key-fields.tsx';
import { buildKeyBody, type KeyValues } from './key-values.ts';

interface NewKeyFormProps {
  readonly onCreated: (key: NewApiKeyBody) => Promise<void>;
}

export function NewKeyForm({ onCreated }: NewKeyFormProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const initial: KeyValues = {
    name: '',
    all_sites: sites.length === 0,
    sites: sites.length === 1 ? sites.map(({ id }) => id) : [],
    preview: false,
    expires_at: null,
    rate_limit: '',
  };
  const form = useApiForm({
    initial,
    submit: (key) => readAnswer(api.POST('/manage/v1/keys', { body: buildKeyBody(key) })),
    onDone: onCreated,
  });
  return (
    <FormFrame form={form}>
      <KeyFields form={form} isNew />
      <FormButtons form={form} label={KEY_TEXTS.create}>
        <CancelLink to="/account/keys" />
      </FormButtons>
    </FormFrame>
  );
}
