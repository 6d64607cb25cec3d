/** `countersign completion bash|zsh|fish`: a shell's completions, from the commands as they are. */
import { Argument, Command } from 'commander';
import { print } from '../output/print.ts';
import { treeOf } from './commandTree.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './scripts.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const USE = `
To use it: bash  source <(countersign completion bash)
           zsh   source <(countersign completion zsh)
           fish  countersign completion fish | source`;

/** @param program whose commands are completed, when the command runs */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('Print completions for a shell.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SCRIPTS)))
    .option('--json', 'answer in JSON')
    .addHelpText('after', USE)
    .action((shell: keyof typeof SCRIPTS, options: { json?: boolean }) => {
      const script = SCRIPTS[shell](treeOf(program));
      print(options, { shell, script }, script);
    });
}
