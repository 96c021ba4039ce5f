// What is said while something is moved in a list, by drag or by keyboard.

export const SORTING_TEXTS = {
  grip: (name: string) => `Move ${name}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  instructions:
    'Press space to pick it up, the arrow keys to move it, space again to put it down, and escape to leave it where it was.',
  pickedUp: (name: string, position: number, count: number) =>
    `${name} was picked up. It is at position ${position} of ${count}.`,
  movedTo: (name: string, position: number, count: number) => `${name} is at position ${position} of ${count}.`,
  putDown: (name: string, position: number, count: number) =>
    `${name} was put down at position ${position} of ${count}.`,
  left: (name: string) => `${name} was left where it was.`,
} as const;
