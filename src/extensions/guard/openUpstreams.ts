/** How the servers behind a guard are reached: started over stdio, or asked over HTTP. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Transport } from '@modelcontextprotocol/server';
import { sha256 } from './guardState.ts';
import type { GuardedUpstream } from './pipe/relay.ts';
import { presets } from './presets/presets.ts';
import type { GuardConfig, Upstream } from './rules/guardConfig.ts';
import { rulesFor } from './rules/readCall.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The words after `--` in place of the command of the one server of the file. @throws Error: one sentence */
export function upstreamsOf(config: GuardConfig, command: readonly string[]): Upstream[] {
  const { upstream } = config;
  if (command.length > 0) {
    const [only, ...others] = upstream;
    if (others.length > 0)
      throw new Error('The file names several servers: give their commands there, and none after --.');
    const { url: _elsewhere, ...rest } = only ?? { name: 'upstream' };
    return [{ ...rest, command: [...command] }];
  }
  if (upstream.length === 0) throw new Error('Name a server: a command after --, or [[upstream]] in the file.');
  for (const { name, command: own, url } of upstream) {
    if (own === undefined && url === undefined)
      throw new Error(`The server ${name} has neither command nor url; give one, or a command after --.`);
  }
  return upstream;
}

/** @param authorization what the client sent to the guard, which its server is sent where the file names no headers */
export function openUpstream(
  config: GuardConfig,
  upstream: Upstream,
  env: Environment,
  authorization?: string,
): GuardedUpstream {
  const own = upstream.url !== undefined && upstream.headers === undefined ? authorization : undefined;
  return {
    name: upstream.name,
    ...(own === undefined ? {} : { account: sha256(own) }),
    rules: rulesFor(config, upstream, presets),
    transport: transportOf(upstream, env, authorization),
  };
}

function transportOf(upstream: Upstream, env: Environment, authorization: string | undefined): Transport {
  const { command, url, name } = upstream;
  if (url !== undefined) {
    const own = upstream.headers === undefined ? undefined : resolved(upstream.headers, env, name);
    const headers = own ?? (authorization === undefined ? {} : { Authorization: authorization });
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  }
  const [program = '', ...args] = typeof command === 'string' ? command.trim().split(/\s+/) : (command ?? []);
  return new StdioClientTransport({
    command: program,
    args,
    env: { ...getDefaultEnvironment(), ...resolved(upstream.env ?? {}, env, name) },
    stderr: 'inherit',
  });
}

/** @throws Error for a variable that is not set */
function resolved(values: Readonly<Record<string, string>>, env: Environment, server: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll(/\$([A-Z][A-Z0-9_]*)/g, (_match, variable: string) => {
        const found = env[variable];
        if (found === undefined)
          throw new Error(`${name} of the server ${server} names the variable ${variable}, which is not set.`);
        return found;
      }),
    ]),
  );
}
