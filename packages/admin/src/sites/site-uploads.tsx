// A site's rules for uploaded files.

import type { AssetSettingsBody } from '@galley/wire';
import { Switch, TagsInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { type NumberText, parseNumber, pickChanged } from '../forms/form-values.ts';
import { NumberInput } from '../forms/number-input.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_ASSET_TEXTS } from '../texts/site-asset-texts.ts';
import { assetSettingsQuery, changeAssetSettings } from './site-asset-queries.ts';

interface UploadValues {
  readonly keeps_location: boolean;
  readonly requires_description: boolean;
  readonly upload_types: string[];
  readonly most_upload_mb: NumberText;
  readonly most_megapixels: NumberText;
}

interface SiteUploadsProps {
  readonly site: string;
  readonly isReadOnly: boolean;
}

const KNOWN_TYPES = ['image/', 'video/', 'audio/', 'application/pdf', 'text/'];

export function SiteUploads({ site, isReadOnly }: SiteUploadsProps) {
  const queryClient = useQueryClient();
  const { data: settings } = useSuspenseQuery(assetSettingsQuery(site));
  const form = useApiForm({
    initial: buildValues(settings),
    submit: (values, initial) => changeAssetSettings(site, pickChanged(buildBody(values), buildBody(initial))),
    onDone: (changed) => {
      queryClient.setQueryData(assetSettingsQuery(site).queryKey, changed);
      showToast({ text: SHELL_TEXTS.saved });
    },
  });
  const { values, set, errorOf } = form;
  return (
    <FormFrame form={form} autoComplete="off">
      <Switch
        label={SITE_ASSET_TEXTS.removesLocation}
        description={SITE_ASSET_TEXTS.removesLocationHelp}
        checked={!values.keeps_location}
        onChange={(event) => set('keeps_location', !event.currentTarget.checked)}
        disabled={isReadOnly}
      />
      <Switch
        label={SITE_ASSET_TEXTS.requiresDescription}
        description={SITE_ASSET_TEXTS.requiresDescriptionHelp}
        checked={values.requires_description}
        onChange={(event) => set('requires_description', event.currentTarget.checked)}
        disabled={isReadOnly}
      />
      <TagsInput
        label={SITE_ASSET_TEXTS.uploadTypes}
        description={SITE_ASSET_TEXTS.uploadTypesHelp}
        placeholder={values.upload_types.length === 0 ? SITE_ASSET_TEXTS.allTypes : ''}
        data={KNOWN_TYPES}
        value={values.upload_types}
        onChange={(types) => set('upload_types', types)}
        acceptValueOnBlur
        readOnly={isReadOnly}
        error={errorOf('upload_types', SITE_ASSET_TEXTS.uploadTypes)}
      />
      {(['most_upload_mb', 'most_megapixels'] as const).map((name) => (
        <NumberInput
          key={name}
          maw="20rem"
          label={SITE_ASSET_TEXTS[name]}
          description={SITE_ASSET_TEXTS.limitHelp}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={values[name]}
          onChange={(count) => set(name, count)}
          readOnly={isReadOnly}
          error={errorOf(name, SITE_ASSET_TEXTS[name])}
        />
      ))}
      {!isReadOnly && <SaveButton form={form} />}
    </FormFrame>
  );
}

function buildValues(settings: AssetSettingsBody): UploadValues {
  const { keeps_location, requires_description, upload_types, most_upload_mb, most_megapixels } = settings;
  return {
    keeps_location,
    requires_description,
    upload_types: [...(upload_types ?? [])],
    most_upload_mb: most_upload_mb ?? '',
    most_megapixels: most_megapixels ?? '',
  };
}

function buildBody(values: UploadValues) {
  const { upload_types, most_upload_mb, most_megapixels, ...switches } = values;
  return {
    ...switches,
    upload_types: upload_types.length === 0 ? null : upload_types,
    most_upload_mb: parseNumber(most_upload_mb) ?? null,
    most_megapixels: parseNumber(most_megapixels) ?? null,
  };
}
