/** The owner's terminal on the node's machine: a command of the program runs there, whole, in the world's time. */
import type { World } from '../world.ts';

/**
 * Runs what a command does.
 * @param command of `src/cli`, which prints one line of JSON
 * @returns what it printed; rejects with what it failed with
 */
export function runCommand(world: World, command: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<unknown> {
  const { loop } = world;
  const owner = loop.newOwner('the terminal');
  const { log } = console;
  const printed: string[] = [];
  return new Promise<unknown>((resolve, reject) => {
    loop.schedule(owner, 0, 'command', () => {
      console.log = (line: string) => void printed.push(line);
      command({ ...world.env }).then(() => resolve(JSON.parse(printed.join(''))), reject);
    });
  }).finally(() => {
    console.log = log;
  });
}
