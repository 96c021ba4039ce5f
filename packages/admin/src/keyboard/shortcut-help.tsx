import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { readShortcuts, useShortcuts, watchShortcuts } from './use-shortcuts.ts';

export function ShortcutHelp() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useShortcuts([{ keys: 'shift+?', label: SHELL_TEXTS.shortcutHelp, run: open }]);
  const shortcuts = useSyncExternalStore(watchShortcuts, readShortcuts).flat();
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={SHELL_TEXTS.shortcuts}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack gap="xs">
        {shortcuts.map(([keys, label]) => (
          <Group key={keys} justify="space-between">
            <Text>{label}</Text>
            <Kbd>{describeKeys(keys)}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}

function describeKeys(keys: string): string {
  const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
  return keys
    .replace('shift+?', '?')
    .replace('mod', isMac ? '⌘' : 'Ctrl')
    .replaceAll('+', ' ');
}
