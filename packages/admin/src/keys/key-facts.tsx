import type { ApiKeyBody } from '@galley/wire';
import { Code } from '@mantine/core';
import { Facts } from '../elements/facts.tsx';
import { TimeOrNever } from '../elements/time-or-never.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';

/** What is known of a key and cannot be changed. */
export function KeyFacts({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  return (
    <Facts
      facts={[
        { name: KEY_TEXTS.prefix, value: <Code bg="transparent" p={0}>{`${apiKey.prefix}…`}</Code> },
        { name: KEY_TEXTS.created, value: <TimeText value={apiKey.created_at} withTime /> },
        { name: KEY_TEXTS.lastUsed, value: <TimeOrNever value={apiKey.last_used_at} /> },
        { name: KEY_TEXTS.states.revoked, value: apiKey.revoked_at && <TimeText value={apiKey.revoked_at} withTime /> },
      ]}
    />
  );
}
