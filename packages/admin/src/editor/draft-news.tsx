import { Alert, Button, Group } from '@mantine/core';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { useDraft } from './draft-context.ts';

/** What happened to the text that its editor did not do. */
export function DraftNews() {
  const { draft, state } = useDraft();
  const { news, message } = state;
  if (message !== undefined)
    return (
      <Alert color="red" role="alert">
        {message}
      </Alert>
    );
  if (news === undefined) return null;
  return (
    <Alert
      role="status"
      color="pine"
      withCloseButton
      closeButtonLabel={SHELL_TEXTS.close}
      onClose={() => draft.dismissNews()}
    >
      <Group gap="xs" justify="space-between">
        {news.kind === 'restored' ? EDITOR_TEXTS.wasRestored : EDITOR_TEXTS.wasMerged(news.by ?? EDITOR_TEXTS.anImport)}
        {news.kind === 'restored' && state.status !== 'saved' && (
          <Button size="compact-sm" variant="default" onClick={() => draft.forget()}>
            {EDITOR_TEXTS.dropRestored}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
