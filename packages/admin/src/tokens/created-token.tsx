// The one look at a new token, with a line for the terminal that uses it.

import { Alert } from '@mantine/core';
import { Card } from '../elements/card.tsx';
import { CodeBlock } from '../elements/code-block.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';

export function CreatedToken({ token }: { readonly token: string }) {
  const command = `curl '${window.location.origin}/manage/v1/sites' \\\n  -H 'Authorization: Bearer ${token}'`;
  return (
    <Card>
      <Alert color="yellow" variant="light">
        {TOKEN_TEXTS.tokenOnce}
      </Alert>
      <CodeBlock label={TOKEN_TEXTS.token} what={TOKEN_TEXTS.token} code={token} />
      <CodeBlock label={TOKEN_TEXTS.tryIt} what={TOKEN_TEXTS.command} code={command} />
      <div>
        <LinkButton to="/account/tokens">{TOKEN_TEXTS.done}</LinkButton>
      </div>
    </Card>
  );
}
