/** A stock MCP client with a guard between it and the double of a vendor's server. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport, type ListChangedHandlers, type Transport } from '@modelcontextprotocol/client';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { AcceptedTexts } from '../../../../src/extensions/guard/acceptedTexts.ts';
import { openStateFile, type StateFile } from '../../../../src/extensions/guard/guardState.ts';
import { Purchases } from '../../../../src/extensions/guard/pipe/purchases.ts';
import { Relay } from '../../../../src/extensions/guard/pipe/relay.ts';
import { ToolReports } from '../../../../src/extensions/guard/pipe/toolReports.ts';
import { presets } from '../../../../src/extensions/guard/presets/presets.ts';
import { parseGuardText } from '../../../../src/extensions/guard/readGuardFile.ts';
import type { ReservationNode, ToolNode } from '../../../../src/extensions/guard/reservationNode.ts';
import { rulesFor } from '../../../../src/extensions/guard/rules/readCall.ts';
import type { Loose } from '../../../support/world.ts';
import { ReservationDouble } from './reservationDouble.ts';
import { type Vendor, vendorServer } from './vendor.ts';

export const AGENT = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';

/** @param rest of guard.toml, after its node and agent */
export function guardText(rest: string): string {
  return `agentDid = "${AGENT}"\n[node]\nurl = "http://127.0.0.1:8402"\n${rest}`;
}

export interface GuardedClient {
  readonly client: Client;
  readonly node: ReservationDouble;
  readonly state: StateFile;
  readonly lines: string[];
  /** The server's own end of its connection. */
  readonly wire: InMemoryTransport;
  readonly servers: readonly Server[];
  call(name: string, input?: object): Promise<Loose>;
  close(): Promise<void>;
}

interface Options {
  readonly rest?: string;
  readonly node?: ReservationDouble;
  /** Is told of the tools, and says what a person accepted. */
  readonly tools?: ToolNode;
  /** In place of a double. */
  readonly ownNode?: ReservationNode;
  readonly agentDid?: string;
  /** The guard's clock; this machine's when absent. */
  readonly now?: () => number;
  /** The file of an earlier guard. */
  readonly stateFile?: string;
  readonly capabilities?: object;
  /** What the client does when a list changes. */
  readonly listChanged?: ListChangedHandlers;
  /** Whether client and servers speak protocol 2026-07-28. */
  readonly isOfToday?: boolean;
}

export function stateFileIn(): string {
  return join(mkdtempSync(join(tmpdir(), 'guard-')), 'guard.state.json');
}

/** A guard before doubles of vendors’ servers, of which each client has its own connections. */
export interface GuardedPipes extends Pick<GuardedClient, 'lines' | 'node' | 'state'> {
  /** The servers' own ends of the connections of the newest client. */
  readonly wires: readonly InMemoryTransport[];
  readonly servers: readonly Server[];
  /** @param front where its client is connected */
  open(front: Transport): Promise<void>;
}

export function guardedPipes(vendors: Readonly<Record<string, Vendor>>, options: Options = {}): GuardedPipes {
  const { rest = '', node = new ReservationDouble(), agentDid = AGENT, now = Date.now } = options;
  const { stateFile = stateFileIn(), tools, isOfToday = false } = options;
  const config = parseGuardText(guardText(rest), 'guard.toml');
  const state = openStateFile(stateFile, now);
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  let keys = 0;
  const purchases = new Purchases({
    node: options.ownNode ?? node,
    agentDid,
    principalDid: undefined,
    state,
    now,
    newKey: () => `key-${Math.random()}-${keys++}`,
    log,
  });
  const { unmatched } = config;
  const texts = new AcceptedTexts(stateFile, state, log);
  const told =
    tools === undefined ? undefined : { name: 'guard-of-tests', agentDid, servers: Object.keys(vendors), node: tools };
  const reports =
    told === undefined ? {} : { reports: new ToolReports({ ...told, state, texts, unmatched, now, log }) };
  const wires: InMemoryTransport[] = [];
  const servers: Server[] = [];
  const open = async (front: Transport) => {
    wires.length = 0;
    servers.length = 0;
    const upstreams = await Promise.all(
      Object.entries(vendors).map(async ([name, vendor]) => {
        const [transport, wire] = InMemoryTransport.createLinkedPair();
        const serve = () => {
          const server = vendorServer(vendor);
          servers.push(server);
          return server;
        };
        if (isOfToday) serveStdio(serve, { transport: wire });
        else await serve().connect(wire);
        wires.push(wire);
        const upstream = config.upstream.find((each) => each.name === name) ?? { name };
        return { name, transport, rules: rulesFor(config, upstream, presets) };
      }),
    );
    await new Relay(front, upstreams, { ...{ purchases, state, unmatched, log }, ...reports }).start();
  };
  return { node, state, lines, wires, servers, open };
}

export async function guardedClient(
  vendors: Readonly<Record<string, Vendor>>,
  options: Options = {},
): Promise<GuardedClient> {
  const { node, state, lines, wires, servers, open } = guardedPipes(vendors, options);
  const { capabilities = {}, listChanged, isOfToday } = options;
  const [clientEnd, front] = InMemoryTransport.createLinkedPair();
  await open(front);
  const client = new Client(
    { name: 'a model’s host', version: '1.0.0' },
    {
      capabilities,
      ...(listChanged === undefined ? {} : { listChanged }),
      ...(isOfToday === true ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
    },
  );
  await client.connect(clientEnd);
  return {
    client,
    node,
    state,
    lines,
    wire: wires[0] as InMemoryTransport,
    servers,
    call: (name, input = {}) => client.callTool({ name, arguments: input as never }),
    close: () => client.close(),
  };
}

export function textOf(result: Loose): string {
  return result.content[0].text;
}

/** The status that the guard tells of a payment. */
export function statusOf(result: Loose): string | undefined {
  return result._meta?.['countersign/payment']?.status;
}
