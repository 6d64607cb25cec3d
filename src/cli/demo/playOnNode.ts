/** A sandbox node of a demo's own, in a folder that is gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../node/config/config.ts';
import { type Node, startNode } from '../../node/startNode.ts';

/** Plays on it, and ends it with its folder, also where a signal comes first. */
export async function playOnNode(play: (node: Node) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const node = await startNode(readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }));
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= node.stop().finally(() => rm(dataDir, { recursive: true, force: true }));
    return ended;
  };
  // The purchase under way would only tell that its node is gone.
  const stop = () => void end().finally(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  try {
    await play(node);
  } finally {
    await end();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeListener(signal, stop);
  }
}
