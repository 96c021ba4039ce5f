// A password for somebody else: typed or generated, then shown once so that it can be passed on.

import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SecretCard } from '../elements/card.tsx';
import { CodeBlock } from '../elements/copyable.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { USER_TEXTS } from '../texts/user-texts.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

/** Shows a generated password in plain text, so that it can be copied. */
export function PasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  const [isVisible, { open: show, toggle }] = useDisclosure(false);
  const generate = (): void => {
    onChange(buildPassword());
    show();
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        flex={1}
        label={label}
        description={USER_TEXTS.passwordHelp}
        autoComplete="new-password"
        visible={isVisible}
        onVisibilityChange={toggle}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
      />
      <Button variant="default" onClick={generate}>
        {USER_TEXTS.generate}
      </Button>
    </Group>
  );
}

/**
 * Crockford's alphabet, in which no two characters look alike. It has 32 characters, so a random byte selects each with the same
 * probability, and 20 characters provide 100 bits.
 */
const CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Four groups of five characters that can be read aloud and typed. */
function buildPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  const letters = Array.from(bytes, (byte) => CHARACTERS.charAt(byte % CHARACTERS.length));
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The sign-in details for a user, shown once. */
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
