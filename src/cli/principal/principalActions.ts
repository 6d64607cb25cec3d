/** What `countersign principal` does with principals at a node. */

import { renderUnicodeCompact } from 'uqr';
import { CountersignError } from '../../../client/error.ts';
import type { Instrument, Passkey, Principal } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import { agentCalled, agentNames, agentsCalled, newest, principalCalled } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

/** Passkeys and payment methods that are shown. */
const MOST = 50;
const NO_PASSKEY = 'none; enroll-link makes a link for one';

interface AddOptions extends TargetOptions {
  readonly name: string;
  readonly agent?: readonly string[];
}

export function addPrincipal(env: Env, did: string, { name, agent = [], ...options }: AddOptions): Promise<void> {
  return showing(env, options, async (client) =>
    client.registerPrincipal({ did, name, agents: await agentsCalled(client, agent) }),
  );
}

export function showPrincipal(env: Env, given: string, options: TargetOptions): Promise<void> {
  return showing(env, options, async (client) => client.getPrincipal({ did: await principalCalled(client, given) }));
}

export function renamePrincipal(env: Env, given: string, options: TargetOptions & { name: string }): Promise<void> {
  return showing(env, options, async (client) =>
    client.changePrincipal({ did: await principalCalled(client, given), name: options.name }),
  );
}

type AgentOptions = TargetOptions & { readonly agent: readonly string[] };

export function delegate(env: Env, given: string, options: AgentOptions): Promise<void> {
  return showing(env, options, async (client) => {
    const { did, agents } = await client.getPrincipal({ did: await principalCalled(client, given) });
    const added = await agentsCalled(client, options.agent);
    return client.changePrincipal({ did, agents: [...new Set([...agents, ...added])] });
  });
}

export function withdraw(env: Env, given: string, options: AgentOptions): Promise<void> {
  return showing(env, options, async (client) => {
    const { did, agents } = await client.getPrincipal({ did: await principalCalled(client, given) });
    const gone = await agentsCalled(client, options.agent);
    return client.changePrincipal({ did, agents: agents.filter((agent) => !gone.includes(agent)) });
  });
}

export function listPrincipals(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const principals = await newest(options.limit, (page) => client.listPrincipals(page));
    const rows = principals.map(({ did, agents, createdAt, name }) => [
      did,
      String(agents.length),
      localTime(createdAt),
      name,
    ]);
    print(options, principals, columns(['DID', 'AGENTS', 'SINCE', 'NAME'], rows));
  });
}

function showing(
  env: Env,
  options: TargetOptions,
  act: (client: Target['client']) => Promise<Principal>,
): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const principal = await act(client);
    const { did } = principal;
    const [names, passkeys, instruments] = await Promise.all([
      agentNames(client, principal.agents),
      newest(MOST, (page) => client.listPasskeys({ ...page, principalDid: did })).catch(noneReadable),
      newest(MOST, (page) => client.listInstruments({ ...page, principalDid: did })),
    ]);
    print(options, principal, describe(principal, { names, passkeys, instruments }));
  });
}

function noneReadable(error: unknown): undefined {
  if (error instanceof CountersignError && error.code === 'FORBIDDEN') return undefined;
  throw error;
}

interface Belongings {
  /** Of agents, by their DID. */
  readonly names: ReadonlyMap<string, string>;
  /** Undefined where the key may not read them. */
  readonly passkeys: readonly Passkey[] | undefined;
  readonly instruments: readonly Instrument[];
}

/** One principal, a member a line. */
function describe({ did, name, agents, createdAt }: Principal, { names, passkeys, instruments }: Belongings): string {
  return facts({
    DID: did,
    Name: name,
    Agents: agents.map((agent) => names.get(agent) ?? agent).join(', ') || 'none may spend its money',
    Passkeys: passkeys && (passkeys.map(({ deviceName }) => deviceName).join(', ') || NO_PASSKEY),
    'Payment methods': instruments.map(({ paymentMethod }) => paymentMethod).join(', ') || 'none of its own',
    Since: localTime(createdAt),
  });
}

interface LinkOptions extends TargetOptions {
  readonly device?: string;
  readonly minutes: number;
}

/** Whose purchases the passkey will approve, by DID or name. */
type Holder = { readonly agent: string } | { readonly principal: string };

export function makeEnrollLink(env: NodeJS.ProcessEnv, holder: Holder, options: LinkOptions): Promise<void> {
  const { device: deviceName, minutes } = options;
  return withTarget(env, options, async ({ client }) => {
    const named =
      'agent' in holder
        ? { agentDid: await agentCalled(client, holder.agent) }
        : { principalDid: await principalCalled(client, holder.principal) };
    const link = await client.createEnrollment({ ...named, ttlSeconds: minutes * 60, ...compact({ deviceName }) });
    print(options, link, linkText(link, 'agent' in holder ? 'purchases of this agent' : 'purchases with this money'));
  });
}

function linkText(link: { readonly url: string; readonly expiresAt: string }, purchases: string): string {
  const trouble = passkeyTrouble(new URL(link.url).origin);
  return [
    renderUnicodeCompact(link.url, { border: 2 }),
    '',
    colour.bold(link.url),
    `Works once, until ${link.expiresAt}. The person who opens it can approve ${purchases}: treat it as a password.`,
    ...(trouble === undefined ? [] : ['', colour.yellow(trouble)]),
  ].join('\n');
}
