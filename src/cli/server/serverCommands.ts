/** `countersign serve`, `demo`, `seed`, `config`, `doctor`, `health` and `openapi`: what they take. */
import type { Command } from 'commander';
import { gateAhead } from '../../node/gate/hostGates.ts';
import { count } from '../input/optionTypes.ts';
import { DEFAULT_URL } from '../target/targetOptions.ts';

export function declareServer(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('init')
    .description('Write a file of settings for a new node, countersign.toml, into this folder.')
    .option('--production', 'for a production node; without it for a sandbox')
    .option('--base-url <address>', 'its public address')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./initSettings.ts')).initSettings(options));
  program
    .command('serve')
    .description('Serve the node that the settings describe: the environment, and countersign.toml.')
    .action(() => serveWithGates(env));
  program
    .command('demo')
    .description('Run three purchases against a fresh sandbox node, and show what happens.')
    .option(
      '--rails',
      'in place of them one budget over a card, servers that ask for money by HTTP (402), a payment elsewhere and another vendor’s tool',
    )
    .action(async ({ rails }) =>
      rails === true
        ? (await import('../demo/runRailsDemo.ts')).runRailsDemo()
        : (await import('../demo/runDemo.ts')).runDemo(),
    );
  program
    .command('seed')
    .description('Fill a stopped sandbox node with a month of purchases by a dozen agents.')
    .addOption(count('--seed <number>', 'which month: the same number makes the same purchases').default(1))
    .option('--add', 'also where there are purchases')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('../seed/runSeed.ts')).seed(env, options));
  program
    .command('config')
    .description('Show how the node is configured.')
    .command('check')
    .description('Print each setting with its source, secrets hidden, or every fault in them.')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./checkConfig.ts')).checkConfig(env, options));
  program
    .command('doctor')
    .description('Examine a node, running or not, and name the remedy of each fault.')
    .option('--url <address>', 'a running node; without it that of the data folder (COUNTERSIGN_URL)')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('../doctor/examine.ts')).runDoctor(env, options));
  program
    .command('health')
    .description('Ask the node on this machine whether it takes requests; exit code 0 when it does.')
    .option('--url <address>', 'another node (COUNTERSIGN_URL)')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./checkHealth.ts')).checkHealth(env, options));
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the REST facade; no node is needed.')
    .option('--base-url <address>', 'the address it names', DEFAULT_URL)
    .option('--json', 'on one line')
    .action(async (options) => (await import('./printOpenapi.ts')).printOpenapi(options));
}

/** The code of a gate in a thread is loaded while that of the core is. */
async function serveWithGates(env: NodeJS.ProcessEnv): Promise<void> {
  const gates = gateAhead(env['GATES']);
  try {
    await (await import('./serve.ts')).serve(env, gates);
  } catch (error) {
    // Wrong settings end the command before a node has taken the thread, which would keep the process.
    await gates?.end();
    throw error;
  }
}
