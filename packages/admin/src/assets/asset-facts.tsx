import { NumberInput, TextInput } from '@mantine/core';
import type { ApiForm } from '../forms/use-api-form.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-form.module.css';
import type { AssetValues } from './asset-values.ts';

interface AssetFactsProps {
  readonly form: ApiForm<AssetValues>;
  readonly isNew: boolean;
}

export function AssetFacts({ form: { values, set, errorOf }, isNew }: AssetFactsProps) {
  return (
    <div className={classes.facts}>
      <TextInput
        label={ASSET_TEXTS.mediaType}
        placeholder="image/jpeg"
        value={values.mime_type}
        onChange={(event) => set('mime_type', event.currentTarget.value)}
        error={errorOf('mime_type')}
      />
      <NumberInput
        label={ASSET_TEXTS.size}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={values.size}
        onChange={(size) => set('size', size)}
        error={errorOf('size')}
      />
      <NumberInput
        label={ASSET_TEXTS.width}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={values.width}
        onChange={(width) => set('width', width)}
        error={errorOf('width')}
      />
      <NumberInput
        label={ASSET_TEXTS.height}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={values.height}
        onChange={(height) => set('height', height)}
        error={errorOf('height')}
      />
      {isNew && (
        <TextInput
          className={classes.whole}
          label={ASSET_TEXTS.id}
          description={ASSET_TEXTS.idHelp}
          value={values.id}
          onChange={(event) => set('id', event.currentTarget.value)}
          error={errorOf('id')}
        />
      )}
    </div>
  );
}
