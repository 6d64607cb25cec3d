/** `countersign policy apply|diff`: a policy kept in a file, and the one that is current. */
import type { Command } from 'commander';
import type { Rules as SentRules } from '../../../client/operations.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { type Difference, differences } from './difference.ts';
import { readPolicyFile } from './policyFile.ts';
import { describe, type PolicyVersion } from './show.ts';

export function addWriting(policy: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(policy.command('apply <file>'), 'admin')
    .description('Make the policy in a file the current one: its next version, or with --new another policy.')
    .option('--new', 'begin another policy in place of the current one')
    .option('--name <name>', 'its name; the one in the file when not given')
    .action((file: string, options: TargetOptions & { new?: boolean; name?: string }) => {
      const draft = readPolicyFile(file);
      const name = options.name ?? draft.name;
      const rules = draft.rules as SentRules;
      return withTarget(env, options, async ({ client }) => {
        const current = options.new === true ? undefined : await currentOrNone(client);
        const same = current !== undefined && sameRules(current, rules) && (name ?? current.name) === current.name;
        if (same) return print(options, { ...current, changed: false }, 'It is the current policy already.');
        const written =
          current === undefined
            ? await client.createPolicy({ name: name ?? 'Policy', rules })
            : await client.updatePolicy({ id: current.id, rules, ...(name && { name }) });
        print(options, { ...written, changed: true }, describe(written));
      });
    });
  targetOptions(policy.command('diff <file>'), 'read')
    .description('Say how the policy in a file differs from the current one; exit code 1 where it does.')
    .action((file: string, options: TargetOptions) => {
      const { rules } = readPolicyFile(file);
      return withTarget(env, options, async ({ client }) => {
        const current = await client.currentPolicy();
        const found = differences(current.rules, rules);
        const text = found.length === 0 ? 'The rules are the same.' : found.flatMap(lines).join('\n');
        print(options, { same: found.length === 0, differences: found }, text);
        if (found.length > 0) process.exitCode = 1;
      });
    });
}

async function currentOrNone(client: Target['client']): Promise<PolicyVersion | undefined> {
  try {
    return await client.currentPolicy();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function sameRules(current: PolicyVersion, rules: unknown): boolean {
  return canonical(current.rules) === canonical(rules);
}

function lines({ path, before, after }: Difference): string[] {
  return [
    ...(before === undefined ? [] : [colour.red(`- ${path}: ${JSON.stringify(before)}`)]),
    ...(after === undefined ? [] : [colour.green(`+ ${path}: ${JSON.stringify(after)}`)]),
  ];
}
