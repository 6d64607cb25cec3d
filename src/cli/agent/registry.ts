/** `countersign agent add|show|list`. */
import { type Command, Option } from 'commander';
import type { Agent } from '../../../protocol/agent.ts';
import { AgentStatus } from '../../../protocol/agent.ts';
import { WrongUse } from '../exit.ts';
import { columns, facts, localTime, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { publicKeyIn } from './keygen.ts';

interface AddOptions extends TargetOptions {
  readonly name: string;
  readonly publicKey?: string;
  readonly keyFile?: string;
  readonly description?: string;
  readonly capability?: readonly string[];
}

export function addRegistry(agent: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(agent.command('add'), 'write')
    .description('Register an agent by its public key.')
    .requiredOption('--name <name>', 'what the owner calls it')
    .option('--public-key <key>', 'base58 or multibase, as agent keygen prints it')
    .option('--key-file <file>', 'the seed that agent keygen kept; only its public key is sent')
    .option('--description <text>', 'what it is for')
    .option('--capability <name...>', 'what it can do, for the owner to read')
    .action((options: AddOptions) => {
      const { name, description, capability: capabilities } = options;
      const input = {
        name,
        publicKey: keyOf(options),
        ...(description && { description }),
        ...(capabilities && { capabilities }),
      };
      return withTarget(env, options, async ({ client }) => {
        const made = await client.registerAgent(input);
        print(options, made, `${made.did} is registered.`);
      });
    });
  targetOptions(agent.command('show <did>'), 'read')
    .description('Show one agent.')
    .action((did: string, options: TargetOptions) =>
      withTarget(env, options, async ({ client }) => {
        const found = await client.getAgent({ did });
        print(options, found, describeAgent(found as Agent));
      }),
    );
  targetOptions(agent.command('list'), 'read')
    .description('List agents, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(AgentStatus.options))
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: TargetOptions & { status?: AgentStatus; limit: string }) =>
      withTarget(env, options, async ({ client }) => {
        const { status } = options;
        const agents = await newest(options.limit, (page) => client.listAgents({ ...page, ...(status && { status }) }));
        const rows = agents.map((each) => [
          each.did,
          statusCell(each.status),
          localTime(each.createdAt),
          each.displayName,
        ]);
        print(options, agents, columns(['DID', 'STATUS', 'SINCE', 'NAME'], rows));
      }),
    );
}

/** One agent, a member a line. */
export function describeAgent(agent: Agent): string {
  const { velocity } = agent;
  const limits = [
    velocity?.maxTransactions === undefined ? [] : `${velocity.maxTransactions} purchases`,
    velocity?.maxAmount === undefined ? [] : `an amount of ${velocity.maxAmount}`,
  ].flat();
  return facts({
    DID: agent.did,
    Status: statusCell(agent.status),
    Name: agent.displayName,
    Description: agent.description || undefined,
    Capabilities: agent.capabilities.join(', ') || undefined,
    'Own limit': velocity === null ? undefined : `${limits.join(' and ')} in ${velocity.timeWindow}`,
    Since: localTime(agent.createdAt),
    Revoked: agent.revokedAt === undefined ? undefined : localTime(agent.revokedAt),
    Reason: agent.reason,
  });
}

function keyOf({ publicKey, keyFile }: AddOptions): string {
  if (publicKey !== undefined && keyFile === undefined) return publicKey;
  if (keyFile !== undefined && publicKey === undefined) return publicKeyIn(keyFile);
  throw new WrongUse('Give either --public-key or --key-file.');
}
