/** The known name that is fewest edits away from `name`, for hints about typos. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = countEdits(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function countEdits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(cells: readonly number[], index: number): number {
  return cells[index] ?? Number.POSITIVE_INFINITY;
}
