import { Button } from '@mantine/core';
import { EmptyState } from '../elements/empty-state.tsx';
import { LIST_TEXTS } from '../texts/list-texts.ts';

export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      title={LIST_TEXTS.nothingFoundTitle}
      text={LIST_TEXTS.nothingFoundText}
      action={
        <Button variant="default" onClick={onClear}>
          {LIST_TEXTS.clearSearch}
        </Button>
      }
    />
  );
}
