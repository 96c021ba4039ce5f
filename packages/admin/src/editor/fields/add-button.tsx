import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

interface AddButtonProps {
  readonly text: string;
  /** The text with the name of the field, for whoever does not see where the button stands. */
  readonly label: string;
  readonly onClick: () => void;
}

/** Below the items of a field: adds one more. */
export function AddButton({ text, label, onClick }: AddButtonProps) {
  return (
    <div>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={15} aria-hidden />}
        aria-label={label}
        onClick={onClick}
      >
        {text}
      </Button>
    </div>
  );
}
