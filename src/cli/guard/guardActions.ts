/** What `countersign guard` does with the guards that a node knows. */
import type { Guard } from '../../../client/operations.ts';
import { revealedText } from '../../../protocol/guard/revealedText.ts';
import { differenceText } from '../../../protocol/guard/toolDifference.ts';
import { WrongUse } from '../commandFailure.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type Tool = Guard['servers'][number]['tools'][number];

/** So much of a hash is shown, and names a tool. */
const SHOWN = 12;

export function listGuards(env: Env, options: TargetOptions & { limit: number; agent?: string }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const { agent: agentDid, limit } = options;
    const guards = await newest(limit, (page) =>
      client.listGuards({ ...page, ...(agentDid === undefined ? {} : { agentDid }) }),
    );
    const rows = guards.map(({ id, name, agentDid: agent, waiting, servers, toldAt }) => [
      id,
      name,
      servers.map((server) => server.name).join(', '),
      String(waiting),
      localTime(toldAt),
      agent,
    ]);
    print(options, guards, columns(['GUARD', 'NAME', 'SERVERS', 'WAITING', 'TOLD', 'AGENT'], rows));
  });
}

export function showGuard(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const guard = await client.getGuard({ id });
    print(options, guard, describe(guard));
  });
}

interface AcceptOptions extends TargetOptions {
  readonly server: string;
  readonly tools: readonly string[];
}

export function acceptTools(env: Env, id: string, options: AcceptOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const { server, tools } = options;
    const told = (await client.getGuard({ id })).servers.find(({ name }) => name === server)?.tools ?? [];
    const guard = await client.acceptTools({ id, server, tools: tools.map((text) => named(text, told)) });
    print(options, guard, describe(guard));
  });
}

export function removeGuard(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeGuard({ id });
    print(options, { id, removed: true }, `${id} is removed. One that still runs is told so.`);
  });
}

/** @throws WrongUse for a tool that is not as it was shown */
function named(text: string, told: readonly Tool[]): { readonly name: string; readonly hash: string } {
  const at = text.lastIndexOf('@');
  const [name, hash] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !/^[0-9a-f]{8,64}$/.test(hash))
    throw new WrongUse(
      `"${text}" must be a tool and its hash as countersign guard show has them, such as pay@1a2b3c4d5e6f.`,
    );
  const tool = told.find((each) => each.name === name);
  if (tool?.hash.startsWith(hash) !== true)
    throw new WrongUse(`${name} is not there as ${hash}: look at it again by countersign guard show.`);
  return { name, hash: tool.hash };
}

function describe(guard: Guard): string {
  const about = facts({
    Guard: guard.id,
    Name: guard.name,
    Agent: guard.agentDid,
    Told: localTime(guard.toldAt),
    Waiting: String(guard.waiting),
  });
  const servers = guard.servers.map(({ name, tools }) =>
    [`${name}: ${tools.length} tools`, ...tools.map(lineOf)].join('\n'),
  );
  return [about, ...servers].join('\n\n');
}

function lineOf(tool: Tool): string {
  const change = tool.change === undefined ? '' : `; ${CHANGE[tool.change]}`;
  const accepted = tool.acceptance === undefined ? '' : '; accepted, and not taken up by the guard yet';
  const line = `  ${revealedText(tool.name)}: ${revealedText(tool.rules ?? tool.action)}${change}${accepted}`;
  if (!tool.waits) return line;
  const { accepted: former, definition } = tool;
  const text = definition === undefined ? '    too long to be shown here' : differenceText(former, definition, '    ');
  return `${line}\n${text}\n    ${revealedText(tool.name)}@${tool.hash.slice(0, SHOWN)}`;
}

const CHANGE = { added: 'NEW', changed: 'CHANGED', gone: 'is GONE' } as const;
