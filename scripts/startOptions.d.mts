/** What Node is told when a node starts: the types of startOptions.mjs. */
export function startOptions(root: string): string[];
