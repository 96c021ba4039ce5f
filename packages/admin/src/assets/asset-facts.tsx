import { NumberInput, TextInput } from '@mantine/core';
import type { ApiForm } from '../forms/use-api-form.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-form.module.css';
import type { AssetValues } from './asset-values.ts';

const COUNTS = ['size', 'width', 'height'] as const;

interface AssetFactsProps {
  readonly form: ApiForm<AssetValues>;
  readonly isNew: boolean;
}

export function AssetFacts({ form: { values, set, textOf, errorOf }, isNew }: AssetFactsProps) {
  return (
    <div className={classes.facts}>
      <TextInput label={ASSET_TEXTS.mediaType} placeholder="image/jpeg" {...textOf('mime_type')} />
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
          error={errorOf(name)}
        />
      ))}
      {isNew && (
        <TextInput
          className={classes.whole}
          label={ASSET_TEXTS.id}
          description={ASSET_TEXTS.idHelp}
          {...textOf('id')}
        />
      )}
    </div>
  );
}
