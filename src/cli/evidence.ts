/** `countersign evidence`: what was recorded, and whether it holds. */
import { Command } from 'commander';
import { verifyCommand } from './evidenceVerify.ts';

export function evidenceCommand(): Command {
  return new Command('evidence')
    .description('Look into evidence, take it along, and check it.')
    .addCommand(verifyCommand());
}
