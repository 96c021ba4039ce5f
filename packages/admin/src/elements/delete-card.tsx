import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Card } from './card.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteCardProps {
  /** The title of the card and the label of the button, such as `Delete author`. */
  readonly label: string;
  readonly intro: string;
  readonly question: string;
  readonly warning: string;
  /** The text that must be typed to confirm. */
  readonly typed?: string;
  readonly onDelete: () => Promise<unknown>;
}

/** The last card on a record's page: deletes the record after confirmation. */
export function DeleteCard({ label, intro, question, warning, typed, onDelete }: DeleteCardProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Card title={label} intro={intro}>
      <div>
        <Button variant="light" color="red" onClick={open}>
          {label}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title={question}
        text={warning}
        confirmLabel={label}
        {...(typed === undefined ? {} : { typed })}
        onConfirm={onDelete}
        onClose={close}
      />
    </Card>
  );
}
