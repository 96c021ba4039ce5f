import type { RoleName } from '@galley/wire';
import { Radio, Stack } from '@mantine/core';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';

const ROLES: readonly RoleName[] = ['editor', 'owner'];

interface RoleChoiceProps {
  readonly value: RoleName;
  readonly onChange: (role: RoleName) => void;
  readonly error?: string | undefined;
  readonly description?: string;
  readonly isDisabled?: boolean;
}

export function RoleChoice({ value, onChange, error, description, isDisabled = false }: RoleChoiceProps) {
  return (
    <Radio.Group
      label={USER_TEXTS.role}
      description={description}
      value={value}
      onChange={(chosen) => onChange(chosen === 'owner' ? 'owner' : 'editor')}
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={SHELL_TEXTS.roles[role]}
            description={USER_TEXTS.roleHelp[role]}
            disabled={isDisabled}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
