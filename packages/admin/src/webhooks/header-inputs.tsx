// A webhook's custom headers. Values are write-only: a stored header shows only its name, and typing a value replaces the stored one.

import { Input, PasswordInput, TextInput } from '@mantine/core';
import { useId } from 'react';
import { AddRowButton, RemoveRowButton, useDraftRows } from '../elements/draft-rows.tsx';
import type { ApiForm } from '../forms/use-api-form.ts';
import { WEBHOOK_FORM_TEXTS } from '../texts/webhook-texts.ts';
import classes from './header-inputs.module.css';
import { createHeaderDraft, type HeaderDraft, type WebhookValues } from './webhook-values.ts';

interface HeaderInputsProps {
  readonly form: Pick<ApiForm<WebhookValues>, 'errorOf' | 'errorAt'>;
  readonly value: readonly HeaderDraft[];
  readonly onChange: (headers: readonly HeaderDraft[]) => void;
}

export function HeaderInputs({ form: { errorOf, errorAt }, value: headers, onChange }: HeaderInputsProps) {
  const titleId = useId();
  const rows = useDraftRows<HeaderDraft, HTMLFieldSetElement>(headers, onChange, createHeaderDraft);
  const errors = headers.map(({ name }) => errorAt(buildPath(name.trim()), name.trim()));
  const hasOwnError = errors.some((error) => error !== undefined);
  return (
    <fieldset ref={rows.listRef} className={classes.headers} aria-labelledby={titleId}>
      <div>
        <Input.Label id={titleId} labelElement="div">
          {WEBHOOK_FORM_TEXTS.headers}
        </Input.Label>
        <Input.Description>{WEBHOOK_FORM_TEXTS.headersHelp}</Input.Description>
      </div>
      {headers.map(({ key, name, value, isStored }, index) => {
        const called = name === '' ? WEBHOOK_FORM_TEXTS.headerNumber(index + 1) : name;
        return (
          <div key={key} className={classes.header} data-row={key}>
            <TextInput
              className={classes.name}
              aria-label={WEBHOOK_FORM_TEXTS.headerNameOf(index + 1)}
              placeholder={WEBHOOK_FORM_TEXTS.headerName}
              readOnly={isStored}
              variant={isStored ? 'filled' : 'default'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              value={name}
              onChange={(event) => rows.change(key, { name: event.currentTarget.value })}
              error={errors[index]}
            />
            <PasswordInput
              className={classes.value}
              aria-label={WEBHOOK_FORM_TEXTS.headerValueOf(called)}
              placeholder={isStored ? WEBHOOK_FORM_TEXTS.storedValue : WEBHOOK_FORM_TEXTS.headerValue}
              autoComplete="new-password"
              value={value}
              onChange={(event) => rows.change(key, { value: event.currentTarget.value })}
            />
            <RemoveRowButton
              className={classes.remove}
              label={WEBHOOK_FORM_TEXTS.removeHeader(called)}
              onClick={() => rows.remove(key)}
            />
          </div>
        );
      })}
      {!hasOwnError && <HeadersError error={errorOf('headers', WEBHOOK_FORM_TEXTS.headers)} />}
      <AddRowButton label={WEBHOOK_FORM_TEXTS.addHeader} onClick={rows.add} />
    </fieldset>
  );
}

function HeadersError({ error }: { readonly error: string | undefined }) {
  return error === undefined ? null : <Input.Error role="alert">{error}</Input.Error>;
}

/** The path in the API's errors about a header. */
function buildPath(name: string): string {
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) ? `headers.${name}` : `headers[${JSON.stringify(name)}]`;
}
