/** Whether the items of a checkout fill the items that a mandate requires, each used once: a maximal flow between the two. */

/** One entry of a mandate: so many of any of these. */
export interface Requirement {
  readonly quantity: number;
  readonly acceptable: ReadonlySet<string>;
}

/**
 * How many of the items find a place in the requirements at most (Edmonds–Karp).
 * @param bought quantities by item id
 */
export function mostAssigned(bought: ReadonlyMap<string, number>, requirements: readonly Requirement[]): number {
  const items = [...bought.keys()];
  const sink = items.length + requirements.length + 1;
  const capacity = Array.from({ length: sink + 1 }, () => new Map<number, number>());
  const link = (from: number, to: number, most: number) => {
    capacity[from]?.set(to, most);
    capacity[to]?.set(from, 0);
  };
  items.forEach((item, index) => {
    link(0, index + 1, bought.get(item) as number);
  });
  requirements.forEach(({ quantity, acceptable }, index) => {
    const place = items.length + 1 + index;
    link(place, sink, quantity);
    items.forEach((item, at) => {
      if (acceptable.has(item)) link(at + 1, place, Number.MAX_SAFE_INTEGER);
    });
  });
  let total = 0;
  for (let path = shortestPath(capacity, sink); path !== undefined; path = shortestPath(capacity, sink)) {
    const amount = Math.min(...path.map(([from, to]) => capacity[from]?.get(to) ?? 0));
    for (const [from, to] of path) {
      capacity[from]?.set(to, (capacity[from]?.get(to) ?? 0) - amount);
      capacity[to]?.set(from, (capacity[to]?.get(from) ?? 0) + amount);
    }
    total += amount;
  }
  return total;
}

/** The steps from 0 to the sink by links that have capacity left. */
function shortestPath(capacity: readonly ReadonlyMap<number, number>[], sink: number): [number, number][] | undefined {
  const cameFrom = new Map<number, number>([[0, -1]]);
  const queue = [0];
  for (const node of queue) {
    for (const [next, left] of capacity[node] ?? []) {
      if (left <= 0 || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
    if (cameFrom.has(sink)) break;
  }
  if (!cameFrom.has(sink)) return undefined;
  const path: [number, number][] = [];
  for (let to = sink; to !== 0; to = cameFrom.get(to) as number) path.unshift([cameFrom.get(to) as number, to]);
  return path;
}
