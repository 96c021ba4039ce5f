// The one look at a password that was set for somebody else: what they need to sign in, to be handed over.

import { Text } from '@mantine/core';
import { CodeBlock } from '../elements/code-block.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { SecretCard } from '../elements/secret-card.tsx';
import { USER_TEXTS } from '../texts/user-texts.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export function Handover({ email, password }: Credentials) {
  const address = `${window.location.origin}/admin`;
  return (
    <SecretCard warning={USER_TEXTS.handOver} done={<LinkButton to="/account/users">{USER_TEXTS.done}</LinkButton>}>
      <CodeBlock
        label={USER_TEXTS.access}
        what={USER_TEXTS.access}
        code={USER_TEXTS.accessOf(address, email, password)}
      />
      <Text c="dimmed">{USER_TEXTS.afterwards}</Text>
    </SecretCard>
  );
}
