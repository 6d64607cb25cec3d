/** What `countersign policy` does with the policies of a node. */
import type { Operations, Policy, Rules } from '../../../client/operations.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { WrongUse } from '../commandFailure.ts';
import { describeRules } from '../output/describeRules.ts';
import { type Cell, columns, facts, localTime, money } from '../output/layout.ts';
import { remainingText, severalLimits } from '../output/limitText.ts';
import { colour, print } from '../output/print.ts';
import { agentCalled, newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { readPolicyFile } from './replayDraft.ts';

type Env = NodeJS.ProcessEnv;
type Client = Target['client'];

interface ShowOptions extends TargetOptions {
  readonly version?: number;
  readonly rules?: boolean;
}

export function showPolicy(env: Env, id: string | undefined, options: ShowOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const found = await findPolicy(client, id, options.version);
    if (options.rules === true) return console.log(JSON.stringify(found.rules, null, 2));
    print(options, found, `${describe(found)}\n\n${JSON.stringify(found.rules, null, 2)}`);
  });
}

/** @param id the current policy's when left out @param version the newest when left out */
async function findPolicy(client: Client, id?: string, version?: number): Promise<Policy> {
  const current = id === undefined ? await client.currentPolicy() : undefined;
  if (current !== undefined && (version === undefined || version === current.version)) return current;
  const wanted = id ?? current?.id;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await client.listPolicies({ limit: 200, ...compact({ cursor }) });
    const found = page.data.find((each) => each.id === wanted && (version === undefined || each.version === version));
    if (found !== undefined) return found;
    cursor = page.cursor;
  }
  throw new Error(`There is no ${version === undefined ? '' : `version ${version} of the `}policy ${wanted}.`);
}

export function listPolicies(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const policies = await newest(options.limit, (page) => client.listPolicies(page));
    const rows = policies.map((each) => [
      each.id,
      String(each.version),
      each.isActive ? { text: 'current', paint: colour.green } : '',
      localTime(each.createdAt),
      each.name,
    ]);
    print(options, policies, columns(['POLICY', 'VERSION', '', 'WRITTEN', 'NAME'], rows));
  });
}

interface ApplyOptions extends TargetOptions {
  readonly new?: boolean;
  readonly name?: string;
}

export function applyPolicy(env: Env, file: string, options: ApplyOptions): Promise<void> {
  const draft = readPolicyFile(file);
  const name = options.name ?? draft.name;
  const rules = draft.rules as Rules;
  return withTarget(env, options, async ({ client }) => {
    const seen = await currentOrNone(client);
    const ifCurrent = seen === undefined ? null : { id: seen.id, version: seen.version };
    const current = options.new === true ? undefined : seen;
    const isSame =
      current !== undefined && canonical(current.rules) === canonical(rules) && (name ?? current.name) === current.name;
    if (isSame)
      return print(options, { ...current, changed: false }, `Nothing changed: ${named(current)} is in force already.`);
    const written =
      current === undefined
        ? await client.createPolicy({ name: name ?? 'Policy', rules, ifCurrent })
        : await client.updatePolicy({ id: current.id, rules, ifCurrent, ...compact({ name }) });
    const was = seen === undefined ? '' : ` in place of ${named(seen)}`;
    const said = [`${named(written)} is in force${was}.`, describe(written), ...warned(written)];
    print(options, { ...written, changed: true }, said.join('\n'));
  });
}

/** Such as: version 3 of "Travel". */
function named({ name, version }: Policy): string {
  return `version ${version} of "${name}"`;
}

/** A line for each rule that contradicts another one. */
function warned({ warnings }: Pick<Operations['comparePolicies']['output'], 'warnings'>): string[] {
  return warnings.map(({ path, message }) => `${colour.yellow('!')} ${path}: ${message}`);
}

async function currentOrNone(client: Client): Promise<Policy | undefined> {
  try {
    return await client.currentPolicy();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

export function diffPolicy(env: Env, file: string, options: TargetOptions): Promise<void> {
  const { rules } = readPolicyFile(file);
  return withTarget(env, options, async ({ client }) => {
    const difference = await client.comparePolicies({ next: rules as Rules });
    const { changes } = difference;
    const rows = changes.map(({ path, direction, sentence }) => [path, DIRECTIONS[direction], sentence]);
    const text = changes.length === 0 ? 'The rules are the same.' : columns(['RULE', '', 'CHANGE'], rows);
    print(options, difference, [text, ...stopped(difference), ...warned(difference)].join('\n'));
    if (changes.length > 0) process.exitCode = 1;
  });
}

/** Whom the limits of a draft stop as soon as it is in force. */
function stopped({ limits }: Pick<Operations['comparePolicies']['output'], 'limits'>): string[] {
  const changed = limits.filter(({ isChanged }) => isChanged);
  const named = changed
    .filter(({ usedUp }) => usedUp > 0)
    .map(({ name, limit, currency, usedUp, most }) => {
      const holders = most.slice(0, usedUp).map((each) => {
        const used = currency === undefined ? each.used : money(each.used, currency);
        return `${each.name ?? 'all agents together'} ${used} of ${limit}`;
      });
      const more = usedUp > holders.length ? `, and ${usedUp - holders.length} more` : '';
      return `! “${name}” is used up already: ${holders.join(', ')}${more}.`;
    });
  const isPart = changed.some(({ isAll }) => !isAll);
  return [...named, ...(isPart ? ['! Only the 200 newest were looked at: a limit may stop others, too.'] : [])];
}

const DIRECTIONS: Readonly<Record<Operations['comparePolicies']['output']['changes'][number]['direction'], Cell>> = {
  looser: { text: 'looser', paint: colour.red },
  tighter: { text: 'tighter', paint: colour.green },
  other: '',
};

interface SimulateOptions extends TargetOptions {
  readonly draft?: string;
  readonly at?: string;
  readonly policy?: string;
  readonly amount: number;
  readonly currency: string;
  readonly merchant?: string;
  readonly mcc?: string;
  readonly country?: string;
  readonly agent?: string;
}

export function simulatePolicy(env: Env, options: SimulateOptions): Promise<void> {
  const { amount, currency, mcc, country, merchant: merchantDomain, agent, at } = options;
  if (options.policy !== undefined && (options.draft ?? at) !== undefined) {
    throw new WrongUse('Give --policy alone, or --draft and --at.');
  }
  const rules = options.draft === undefined ? undefined : (readPolicyFile(options.draft).rules as Rules);
  return withTarget(env, options, async ({ client }) => {
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const request = { amount, currency, ...compact({ merchantDomain, mcc, country, agentDid }) };
    const simulation =
      options.policy === undefined
        ? await client.simulateDraft({ request, ...compact({ rules, at }) })
        : await client.simulatePolicy({ id: options.policy, request });
    print(options, simulation, describeSimulation(simulation));
    if (!simulation.allowed) process.exitCode = 1;
  });
}

type Simulation = Operations['simulatePolicy']['output'];

function describeSimulation(simulation: Simulation): string {
  const { allowed, hpRequired, reasonCodes, details, limits, remaining, ruleTable, counterfactual } = simulation;
  const verdict = allowed
    ? [`${colour.green('✓')} The policy allows it${hpRequired ? ', if the person approves it' : ''}.`]
    : reasonCodes.map((code) => `${colour.red('✗')} ${code}: ${details[code]?.message ?? ''}`);
  const passes = counterfactual === undefined ? [] : [counterfactual.sentence];
  const left = remaining === undefined ? [] : [remainingText(remaining)];
  return [...verdict, ...passes, ...left, ...severalLimits(limits), '', describeRules(ruleTable)].join('\n');
}

function describe({ id, version, name, hash, isActive, createdAt }: Policy): string {
  return facts({
    Policy: id,
    Version: `${version}${isActive ? ', current' : ''}`,
    Name: name,
    Written: localTime(createdAt),
    Hash: hash,
  });
}
