import { Button, Input, TextInput } from '@mantine/core';
import { useState } from 'react';
import { AddRowButton, RemoveRowButton, useDraftRows } from '../elements/draft-rows.tsx';
import type { ApiForm } from '../forms/use-api-form.ts';
import { PREVIEW_SETTINGS_TEXTS } from '../texts/preview-texts.ts';
import classes from './address-inputs.module.css';
import { type AddressDraft, createAddressDraft } from './preview-values.ts';

const MOST_ADDRESSES = 10;

interface AddressInputsProps {
  readonly form: Pick<ApiForm<object>, 'errorAt'>;
  readonly value: readonly AddressDraft[];
  readonly onChange: (addresses: readonly AddressDraft[]) => void;
}

/** A site's preview addresses, one row each. */
export function AddressInputs({ form: { errorAt }, value: addresses, onChange }: AddressInputsProps) {
  const rows = useDraftRows<AddressDraft, HTMLDivElement>(addresses, onChange, createAddressDraft);
  const listError = errorAt('addresses', PREVIEW_SETTINGS_TEXTS.addresses);
  return (
    <div ref={rows.listRef} className={classes.addresses}>
      {addresses.map((draft, index) => (
        <AddressRow
          key={draft.key}
          draft={draft}
          place={index + 1}
          errorAt={(member, label) => errorAt(`addresses[${index}].${member}`, label)}
          onChange={(parts) => rows.change(draft.key, parts)}
          onRemove={() => rows.remove(draft.key)}
        />
      ))}
      {listError !== undefined && <Input.Error role="alert">{listError}</Input.Error>}
      {addresses.length < MOST_ADDRESSES && <AddRowButton label={PREVIEW_SETTINGS_TEXTS.add} onClick={rows.add} />}
    </div>
  );
}

interface AddressRowProps {
  readonly draft: AddressDraft;
  readonly place: number;
  readonly errorAt: (member: string, label: string) => string | undefined;
  readonly onChange: (parts: Partial<AddressDraft>) => void;
  readonly onRemove: () => void;
}

function AddressRow({ draft, place, errorAt, onChange, onRemove }: AddressRowProps) {
  const { key, name, address, pattern } = draft;
  const [hasPattern, setHasPattern] = useState(pattern !== '');
  const patternError = errorAt('pattern', PREVIEW_SETTINGS_TEXTS.pattern);
  const called = name === '' ? PREVIEW_SETTINGS_TEXTS.numberOf(place) : name;
  return (
    <div className={classes.row} data-row={key}>
      <TextInput
        label={place === 1 && PREVIEW_SETTINGS_TEXTS.name}
        aria-label={PREVIEW_SETTINGS_TEXTS.nameOf(place)}
        placeholder={PREVIEW_SETTINGS_TEXTS.namePlaceholder}
        autoComplete="off"
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={errorAt('name', PREVIEW_SETTINGS_TEXTS.name)}
      />
      <TextInput
        label={place === 1 && PREVIEW_SETTINGS_TEXTS.address}
        aria-label={PREVIEW_SETTINGS_TEXTS.addressOf(place)}
        placeholder={PREVIEW_SETTINGS_TEXTS.addressPlaceholder}
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
        error={errorAt('address', PREVIEW_SETTINGS_TEXTS.address)}
      />
      <RemoveRowButton
        className={place === 1 ? classes.besideLabels : undefined}
        label={PREVIEW_SETTINGS_TEXTS.remove(called)}
        onClick={onRemove}
      />
      {hasPattern || patternError !== undefined ? (
        <TextInput
          className={classes.pattern}
          aria-label={PREVIEW_SETTINGS_TEXTS.patternOf(place)}
          description={PREVIEW_SETTINGS_TEXTS.patternHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={PREVIEW_SETTINGS_TEXTS.patternPlaceholder}
          autoComplete="off"
          spellCheck={false}
          value={pattern}
          onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          error={patternError}
        />
      ) : (
        <div className={classes.pattern}>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`${PREVIEW_SETTINGS_TEXTS.addPattern}: ${called}`}
            onClick={() => setHasPattern(true)}
          >
            {PREVIEW_SETTINGS_TEXTS.addPattern}
          </Button>
        </div>
      )}
    </div>
  );
}
