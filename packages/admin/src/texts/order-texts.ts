// Texts about putting a list into another order.

export const ORDER_TEXTS = {
  moveOf: (name: string) => `Move ${name}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  sortable: 'can be moved',
  dragHelp: 'The arrow keys up and down move the item, and so does dragging. Space takes it and puts it down again.',
  dragStarted: (name: string) => `${name} is taken.`,
  dragOver: (name: string, place: number, total: number) => `${name} is at place ${place} of ${total}.`,
  dragEnded: (name: string, place: number, total: number) => `${name} was put at place ${place} of ${total}.`,
  dragCancelled: (name: string) => `${name} stays where it was.`,
} as const;
