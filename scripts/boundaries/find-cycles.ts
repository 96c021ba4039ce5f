// Circular imports, each once, beginning with the path that sorts first.

export function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const finished = new Set<string>();
  const cycles = new Map<string, readonly string[]>();

  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const cycle = closeCycle(trail.slice(start));
      cycles.set(cycle.join(' '), cycle);
    }
    if (start !== -1 || finished.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  }

  for (const path of graph.keys()) visit(path, []);
  return [...cycles.values()];
}

function closeCycle(paths: readonly string[]): readonly string[] {
  const [first = ''] = paths.toSorted();
  const start = paths.indexOf(first);
  return [...paths.slice(start), ...paths.slice(0, start), first];
}
