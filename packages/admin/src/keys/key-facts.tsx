import type { ApiKeyBody } from '@galley/wire';
import { Code } from '@mantine/core';
import { TimeText } from '../elements/time-text.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './key-facts.module.css';

/** What is known of a key and cannot be changed. */
export function KeyFacts({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  return (
    <dl className={classes.facts}>
      <dt>{KEY_TEXTS.prefix}</dt>
      <dd>
        <Code bg="transparent" p={0}>{`${apiKey.prefix}…`}</Code>
      </dd>
      <dt>{KEY_TEXTS.created}</dt>
      <dd>
        <TimeText value={apiKey.created_at} withTime />
      </dd>
      <dt>{KEY_TEXTS.lastUsed}</dt>
      <dd>{apiKey.last_used_at === null ? SHELL_TEXTS.never : <TimeText value={apiKey.last_used_at} withTime />}</dd>
      {apiKey.revoked_at !== null && (
        <>
          <dt>{KEY_TEXTS.states.revoked}</dt>
          <dd>
            <TimeText value={apiKey.revoked_at} withTime />
          </dd>
        </>
      )}
    </dl>
  );
}
