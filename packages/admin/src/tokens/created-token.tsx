// The one look at a new token, with a line for the terminal that uses it.

import { CodeBlock } from '../elements/code-block.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { SecretCard } from '../elements/secret-card.tsx';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';

export function CreatedToken({ token }: { readonly token: string }) {
  const command = `curl '${window.location.origin}/manage/v1/sites' \\\n  -H 'Authorization: Bearer ${token}'`;
  return (
    <SecretCard warning={TOKEN_TEXTS.tokenOnce} done={<LinkButton to="/account/tokens">{TOKEN_TEXTS.done}</LinkButton>}>
      <CodeBlock label={TOKEN_TEXTS.token} what={TOKEN_TEXTS.token} code={token} />
      <CodeBlock label={TOKEN_TEXTS.tryIt} what={TOKEN_TEXTS.command} code={command} />
    </SecretCard>
  );
}
