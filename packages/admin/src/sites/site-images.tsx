// Settings for a site's images: who may request transformed images, the presets for common parameters, and the key that signs other URLs.

import type { AssetSettingsBody, ImagePresetBody } from '@galley/wire';
import { Button, Code, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { CopyableId } from '../elements/copyable.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_ASSET_TEXTS } from '../texts/site-asset-texts.ts';
import {
  assetSettingsQuery,
  changeAssetSettings,
  deletePreset,
  presetsQuery,
  putPreset,
  readImageKey,
} from './site-asset-queries.ts';
import classes from './site-images.module.css';

interface SiteImagesProps {
  readonly site: string;
  readonly isReadOnly: boolean;
}

export function SiteImages({ site, isReadOnly }: SiteImagesProps) {
  return (
    <Stack gap="lg">
      <ImageAccess site={site} isReadOnly={isReadOnly} />
      <ImagePresets site={site} isReadOnly={isReadOnly} />
      {!isReadOnly && <ImageKey site={site} />}
    </Stack>
  );
}

const ACCESS: readonly AssetSettingsBody['image_access'][] = ['open', 'signed'];

function ImageAccess({ site, isReadOnly }: SiteImagesProps) {
  const queryClient = useQueryClient();
  const { data: settings } = useSuspenseQuery(assetSettingsQuery(site));
  const [chosen, setChosen] = useState(settings.image_access);
  const change = useMutation({
    mutationFn: (access: AssetSettingsBody['image_access']) => changeAssetSettings(site, { image_access: access }),
    onSuccess: (changed) => {
      queryClient.setQueryData(assetSettingsQuery(site).queryKey, changed);
      showToast({ text: SHELL_TEXTS.saved });
    },
    onError: () => setChosen(settings.image_access),
  });
  const choose = (access: AssetSettingsBody['image_access']): void => {
    setChosen(access);
    change.mutate(access);
  };
  return (
    <Radio.Group
      label={SITE_ASSET_TEXTS.access}
      value={chosen}
      onChange={(value) => choose(value === 'signed' ? 'signed' : 'open')}
      error={change.error === null ? undefined : describeError(change.error)}
    >
      <Stack gap="xs" mt={6}>
        {ACCESS.map((access) => (
          <Radio
            key={access}
            value={access}
            label={SITE_ASSET_TEXTS.accesses[access].label}
            description={SITE_ASSET_TEXTS.accesses[access].help}
            disabled={isReadOnly}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface PartProps {
  readonly title: string;
  readonly help: string;
  /** Why the last action in this part of the page failed. */
  readonly error: Error | null;
  readonly children: ReactNode;
}

function Part({ title, help, error, children }: PartProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={classes.part}>
      <div>
        <Title order={3} id={titleId}>
          {title}
        </Title>
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      </div>
      <FormMessage message={error === null ? undefined : describeError(error)} />
      {children}
    </section>
  );
}

function ImagePresets({ site, isReadOnly }: SiteImagesProps) {
  const queryClient = useQueryClient();
  const { data: presets } = useSuspenseQuery(presetsQuery(site));
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: presetsQuery(site).queryKey });
  const remove = useMutation({
    mutationFn: ({ name }: ImagePresetBody) => deletePreset(site, name),
    onSuccess: async (_, preset) => {
      await reload();
      showToast({
        text: SITE_ASSET_TEXTS.presetRemoved(preset.name),
        action: { label: SITE_ASSET_TEXTS.undo, run: () => void putPreset(site, preset).then(reload) },
      });
    },
  });
  return (
    <Part title={SITE_ASSET_TEXTS.presets} help={SITE_ASSET_TEXTS.presetsHelp} error={remove.error}>
      {presets.length > 0 && (
        <ul className={classes.presets}>
          {presets.map((preset) => (
            <li key={preset.name}>
              <span className={classes.name}>{preset.name}</span>
              <Code className={classes.parameters}>{preset.parameters}</Code>
              {!isReadOnly && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={SITE_ASSET_TEXTS.removePresetOf(preset.name)}
                  loading={remove.isPending && remove.variables === preset}
                  onClick={() => remove.mutate(preset)}
                >
                  {SITE_ASSET_TEXTS.removePreset}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && <NewPreset site={site} onSaved={reload} />}
    </Part>
  );
}

interface NewPresetProps {
  readonly site: string;
  readonly onSaved: () => Promise<void>;
}

function NewPreset({ site, onSaved }: NewPresetProps) {
  const { form, values, set, textOf, message, isPending } = useApiForm({
    initial: { name: '', parameters: '' },
    submit: ({ name, parameters }) => putPreset(site, { name, parameters: parameters.replace(/^\?/, '') }),
    onDone: async () => {
      set('name', '');
      set('parameters', '');
      await onSaved();
    },
  });
  return (
    <form {...form}>
      <FormMessage message={message} />
      <Group gap="xs" align="flex-start" className={classes.newPreset}>
        <TextInput
          placeholder="card"
          spellCheck={false}
          autoComplete="off"
          {...textOf('name', SITE_ASSET_TEXTS.presetName)}
        />
        <TextInput
          flex={1}
          placeholder="w=300&h=200&fit=crop"
          spellCheck={false}
          autoComplete="off"
          {...textOf('parameters', SITE_ASSET_TEXTS.presetParameters)}
        />
        <Button
          type="submit"
          variant="default"
          className={classes.add}
          loading={isPending}
          disabled={values.name === '' || values.parameters === ''}
        >
          {SITE_ASSET_TEXTS.addPreset}
        </Button>
      </Group>
    </form>
  );
}

function ImageKey({ site }: { readonly site: string }) {
  const read = useMutation({ mutationFn: () => readImageKey(site), gcTime: 0 });
  return (
    <Part title={SITE_ASSET_TEXTS.key} help={SITE_ASSET_TEXTS.keyHelp} error={read.error}>
      {read.data === undefined ? (
        <div>
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
            {SITE_ASSET_TEXTS.showKey}
          </Button>
        </div>
      ) : (
        <CopyableId id={read.data.key} what={SITE_ASSET_TEXTS.keyName} />
      )}
    </Part>
  );
}
