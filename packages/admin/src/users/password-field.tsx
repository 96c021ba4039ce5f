import { Button, Group, PasswordInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { buildPassword } from './build-password.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

/** A password for somebody else: typed, or made up here and then shown. */
export function PasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  const [isVisible, { open: show, toggle }] = useDisclosure(false);
  const generate = (): void => {
    onChange(buildPassword((count) => crypto.getRandomValues(new Uint8Array(count))));
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
