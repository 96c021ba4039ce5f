import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Card } from './card.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteCardProps {
  /** What the button and the card say, such as `Delete author`. */
  readonly label: string;
  readonly intro: string;
  readonly question: string;
  readonly warning: string;
  /** What must be typed before it is deleted. */
  readonly typed?: string;
  readonly onDelete: () => Promise<unknown>;
}

/** The end of a record's page: deleting it, after a question. */
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
