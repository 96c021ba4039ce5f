import type { ManagedAssetBody } from '@galley/wire';
import { Anchor, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconExternalLink } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { CancelLink } from '../elements/link-button.tsx';
import { FormButtons, FormMessage } from '../forms/form-frame.tsx';
import { NumberInput } from '../forms/number-input.tsx';
import { type ApiForm, useApiForm } from '../forms/use-api-form.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { resolveAddress } from './asset-address.ts';
import classes from './asset-form.module.css';
import { AssetPicture } from './asset-picture.tsx';
import { assetsKey } from './asset-queries.ts';
import { ASSET_FACTS, type AssetValues, findFacts } from './asset-values.ts';

const TYPING_PAUSE_MS = 400;

interface AssetFormProps {
  readonly site: string;
  readonly initial: AssetValues;
  readonly isNew: boolean;
  readonly submit: (values: AssetValues, initial: AssetValues) => Promise<ManagedAssetBody>;
  readonly onSaved: (asset: ManagedAssetBody) => void;
}

export function AssetForm({ site, initial, isNew, submit, onSaved }: AssetFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: siteBody } = useSuspenseQuery(siteQuery(site));
  const api = useApiForm({
    initial,
    submit,
    onDone: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
      onSaved(saved);
      await navigate({ to: '/sites/$site/assets', params: { site } });
    },
  });
  const { form, values, set, textOf, errorOf, message } = api;
  const [address] = useDebouncedValue(values.url, TYPING_PAUSE_MS);
  const changeAddress = (url: string): void => {
    const facts = findFacts(url, api.initial);
    set('url', url);
    for (const fact of ASSET_FACTS) set(fact, facts[fact]);
  };
  return (
    <form {...form} className={classes.form}>
      <AssetPreview
        address={resolveAddress(address, siteBody.url)}
        values={values}
        onSeen={({ width, height }) => {
          if (values.width !== '' || values.height !== '') return;
          set('width', width);
          set('height', height);
        }}
      />
      <Stack gap="lg">
        <Card title={ASSET_TEXTS.file}>
          <FormMessage message={message} />
          <TextInput
            label={ASSET_TEXTS.url}
            description={ASSET_TEXTS.urlHelp}
            autoFocus={isNew}
            value={values.url}
            onChange={(event) => changeAddress(event.currentTarget.value)}
            error={errorOf('url', ASSET_TEXTS.url)}
          />
          <TextInput {...textOf('name', ASSET_TEXTS.name)} />
          <Textarea
            description={ASSET_TEXTS.descriptionHelp}
            autosize
            minRows={2}
            maxRows={8}
            {...textOf('description', ASSET_TEXTS.description)}
          />
        </Card>
        <Card title={ASSET_TEXTS.more} intro={ASSET_TEXTS.moreIntro}>
          <AssetFacts form={api} isNew={isNew} />
        </Card>
        <FormButtons form={api} label={isNew ? ASSET_TEXTS.create : SHELL_TEXTS.save}>
          <CancelLink to="/sites/$site/assets" params={{ site }} />
        </FormButtons>
      </Stack>
    </form>
  );
}

interface AssetPreviewProps {
  readonly address: string;
  readonly values: AssetValues;
  readonly onSeen: (size: { readonly width: number; readonly height: number }) => void;
}

function AssetPreview({ address, values, onSeen }: AssetPreviewProps) {
  const { mime_type: mediaType, width, height, description, name } = values;
  const isPicture = address !== '' && (mediaType === '' || mediaType.startsWith('image/'));
  // An SVG can be shown at any size, so its dimensions are not filled in.
  const isVector = /^data:image\/svg|\.svg$/i.test(address) || mediaType === 'image/svg+xml';
  return (
    <figure className={classes.preview} aria-label={ASSET_TEXTS.preview}>
      <div className={classes.frame}>
        <AssetPicture
          key={address}
          sources={isPicture ? [address] : []}
          mediaType={mediaType}
          extension={/\.(\w{1,8})$/.exec(address)?.[1] ?? ''}
          alt={description === '' ? name : description}
          isWhole
          onSeen={isVector ? () => undefined : onSeen}
        />
      </div>
      <figcaption className={classes.caption}>
        <span>
          {typeof width === 'number' && typeof height === 'number' ? ASSET_TEXTS.dimensions(width, height) : mediaType}
        </span>
        {/^https?:/i.test(address) && (
          <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
            {ASSET_TEXTS.open} <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
      </figcaption>
    </figure>
  );
}

const COUNTS = ['size', 'width', 'height'] as const;

interface AssetFactsProps {
  readonly form: ApiForm<AssetValues>;
  readonly isNew: boolean;
}

function AssetFacts({ form: { values, set, textOf, errorOf }, isNew }: AssetFactsProps) {
  return (
    <div className={classes.facts}>
      <TextInput placeholder="image/jpeg" {...textOf('mime_type', ASSET_TEXTS.mediaType)} />
      {COUNTS.map((name) => (
        <NumberInput
          key={name}
          label={ASSET_TEXTS[name]}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={values[name]}
          onChange={(count) => set(name, count)}
          error={errorOf(name, ASSET_TEXTS[name])}
        />
      ))}
      {isNew && (
        <TextInput className={classes.whole} description={ASSET_TEXTS.idHelp} {...textOf('id', ASSET_TEXTS.id)} />
      )}
    </div>
  );
}
