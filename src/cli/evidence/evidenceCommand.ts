/** `countersign evidence`: what was recorded, and whether it holds. */
import { Command } from 'commander';
import { addExport } from './export.ts';
import { addReading } from './read.ts';
import { verifyCommand } from './verify.ts';

export function evidenceCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('evidence').description('Look into evidence, take it along, and check it.');
  addReading(command, env);
  addExport(command, env);
  return command.addCommand(verifyCommand());
}
