import type { NewApiKeyBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { CreatedKey } from './created-key.tsx';
import { keysQuery } from './key-queries.ts';
import { NewKeyForm } from './new-key-form.tsx';

/** The token is known to this component alone, until it is left. */
export function NewKeyPage() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewApiKeyBody>();
  if (created !== undefined) {
    return (
      <Page title={KEY_TEXTS.createdTitle} intro={created.name} isNarrow>
        <CreatedKey created={created} />
      </Page>
    );
  }
  return (
    <Page title={KEY_TEXTS.newTitle} isNarrow>
      <Card>
        <NewKeyForm
          onCreated={async (key) => {
            setCreated(key);
            await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
          }}
        />
      </Card>
    </Page>
  );
}
