/** `countersign witness`: what it takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { repeated } from '../input/optionTypes.ts';

/** Beside the port of a node, so that both can run on one machine. */
const DEFAULT_PORT = 8403;

export function declareWitness(program: Command): void {
  program
    .command('witness')
    .description('Witness the evidence of other nodes: cosign each checkpoint that continues what was seen of them.')
    .addOption(repeated('--log <origin=key>', 'a chain to watch, as evidence log prints it').makeOptionMandatory())
    .option('--dir <folder>', 'where its key and what it has seen are kept', './data/witness')
    .option('--name <name>', 'the name of its key, where the folder is new; the name of this machine unless given')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .addOption(
      new Option('--port <port>', 'the port, 0 for any that is free').default(DEFAULT_PORT).argParser((text) => {
        if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
        throw new InvalidArgumentError('It must be a port, 0 to 65535.');
      }),
    )
    .action(async (options) => (await import('../extensionProgram.ts')).runExtensionProgram('witness', options));
}
