/** The command line. */
import { Command } from 'commander';
import { playDemo } from './cli/demo.ts';
import { keyCommand } from './cli/key.ts';
import { serve } from './cli/serve.ts';
import { ConfigError } from './config.ts';

const program = new Command('countersign').description('The payment authorization node for AI agents.');
program
  .command('serve', { isDefault: true })
  .description('Serve the node that the environment describes.')
  .action(() => serve(process.env));
program
  .command('demo')
  .description('Play three purchases against a fresh sandbox node and show what happened.')
  .action(() => playDemo());
program.addCommand(keyCommand(process.env));

program.parseAsync().catch((error: unknown) => {
  const wrongUse = error instanceof ConfigError;
  const text = error instanceof Error ? error.message : String(error);
  console.error(wrongUse ? `The environment cannot be used:\n${text}` : text);
  process.exitCode = wrongUse ? 2 : 1;
});
