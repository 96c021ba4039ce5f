import type { NewManagementTokenBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';
import { CreatedToken } from './created-token.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { tokensQuery } from './token-queries.ts';

/** The token is known to this component alone, until it is left. */
export function NewTokenPage() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewManagementTokenBody>();
  if (created !== undefined) {
    return (
      <Page title={TOKEN_TEXTS.createdTitle} intro={created.name} isNarrow>
        <CreatedToken token={created.token} />
      </Page>
    );
  }
  return (
    <Page title={TOKEN_TEXTS.newTitle} isNarrow>
      <Card>
        <NewTokenForm
          onCreated={async (token) => {
            setCreated(token);
            await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
          }}
        />
      </Card>
    </Page>
  );
}
