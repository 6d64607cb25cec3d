/** `countersign policy show|list`. */
import type { Command } from 'commander';
import { wholeNumber } from '../input/numbers.ts';
import { colour } from '../output/colour.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Client = Target['client'];
export type PolicyVersion = Awaited<ReturnType<Client['currentPolicy']>>;

export function addReading(policy: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(policy.command('show [id]'), 'read')
    .description('Show the current policy, or the newest version of another one, or an older version.')
    .option('--version <number>', 'this version')
    .option('--rules', 'only the rules, as JSON, ready to be edited and applied')
    .action((id: string | undefined, options: TargetOptions & { version?: string; rules?: boolean }) =>
      withTarget(env, options, async ({ client }) => {
        const version = options.version === undefined ? undefined : wholeNumber(options.version, '--version');
        const found = await findPolicy(client, id, version);
        if (options.rules === true) return console.log(JSON.stringify(found.rules, null, 2));
        print(options, found, `${describe(found)}\n\n${JSON.stringify(found.rules, null, 2)}`);
      }),
    );
  targetOptions(policy.command('list'), 'read')
    .description('List every version of every policy, newest first.')
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: TargetOptions & { limit: string }) =>
      withTarget(env, options, async ({ client }) => {
        const policies = await newest(options.limit, (page) => client.listPolicies(page));
        const rows = policies.map((each) => [
          each.id,
          String(each.version),
          each.isActive ? { text: 'current', paint: colour.green } : '',
          localTime(each.createdAt),
          each.name,
        ]);
        print(options, policies, columns(['POLICY', 'VERSION', '', 'WRITTEN', 'NAME'], rows));
      }),
    );
}

/** @param id the current policy's when left out @param version the newest when left out */
async function findPolicy(client: Client, id?: string, version?: number): Promise<PolicyVersion> {
  const current = id === undefined ? await client.currentPolicy() : undefined;
  if (current !== undefined && (version === undefined || version === current.version)) return current;
  const wanted = id ?? current?.id;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await client.listPolicies({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.data.find((each) => each.id === wanted && (version === undefined || each.version === version));
    if (found !== undefined) return found;
    cursor = page.cursor;
  }
  throw new Error(`There is no ${version === undefined ? '' : `version ${version} of the `}policy ${wanted}.`);
}

export function describe({ id, version, name, hash, isActive, createdAt }: PolicyVersion): string {
  return facts({
    Policy: id,
    Version: `${version}${isActive ? ', current' : ''}`,
    Name: name,
    Written: localTime(createdAt),
    Hash: hash,
  });
}
