/** `countersign completion`: a shell's completions, from the commands as they are. */
import { Argument, type Command } from 'commander';

const USE = `
To use it: bash  source <(countersign completion bash)
           zsh   source <(countersign completion zsh)
           fish  countersign completion fish | source`;

/** @param program whose commands are completed, when the command runs */
export function declareCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print completions for a shell.')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .option('--json', 'answer in JSON')
    .addHelpText('after', USE)
    .action(async (shell, options) => (await import('./scripts.ts')).printCompletion(program, shell, options));
}
