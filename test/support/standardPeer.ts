/** A caller of standard A2A that writes its own JSON-RPC: what the stock clients do not let a test send. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DID_PROOF, normalForm } from '../../protocol/a2a/normalForm.ts';
import { type JsonObject, type Peer, prove } from './peer.ts';
import { ADMIN_KEY, type Loose, type World } from './world.ts';

export const BY_KEY = { Authorization: `Bearer ${ADMIN_KEY}` };

/** A node, or a process that serves one. */
export interface Answering {
  readonly node: { readonly address: string };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Loose;
}

/** Posts a JSON-RPC call to the standard endpoint. */
export async function callStandard(
  world: Answering,
  method: string,
  params: object,
  headers: Record<string, string> = BY_KEY,
): Promise<Answered> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'call-1', method, params });
  const response = await fetch(`${world.node.address}/a2a/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** The result of a call that must succeed. */
export async function resultOf(...call: Parameters<typeof callStandard>): Promise<Loose> {
  const { status, body } = await callStandard(...call);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.error, undefined, JSON.stringify(body.error));
  return body.result;
}

/** A message of 1.0 with one data part. */
export function taskMessage(data: object, more: object = {}): Loose {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data }], ...more };
}

/** Sends a message and gives the task it led to. */
export async function sendTo(world: Answering, data: object, more: object = {}, headers = BY_KEY): Promise<Loose> {
  return (await resultOf(world, 'SendMessage', { message: taskMessage(data, more) }, headers)).task;
}

/** A message with the proof extension in its metadata. */
export function signedMessage(world: Pick<World, 'node'>, peer: Peer, message: Loose, created = new Date()): Loose {
  const parties = { from: peer.did, to: world.node.deps.issuer.did };
  const unsigned = { ...message, metadata: { ...message.metadata, [DID_PROOF]: parties } };
  const { proof } = prove(peer, normalForm(unsigned) as JsonObject, 'authentication', created);
  return { ...unsigned, metadata: { ...unsigned.metadata, [DID_PROOF]: { ...parties, proof } } };
}

/** What an artifact of a task holds under a name. */
export function artifactOf(task: Loose, name: string): Loose {
  const artifact = (task.artifacts ?? []).find((each: Loose) => each.name === name);
  return artifact?.parts.find((part: Loose) => part.data !== undefined)?.data[`countersign.${name}`];
}

/** What the status of a task says as data. */
export function saidBy(task: Loose): Loose {
  return task.status.message?.parts.find((part: Loose) => part.data !== undefined)?.data;
}

export interface Streamed {
  readonly events: Loose[];
  /** The error that it ended with. */
  error?: Loose;
  /** Comment lines. */
  comments: number;
  readonly ended: Promise<void>;
  /** Resolves with the first event, told or to come, that is as wanted. */
  find(wanted: (event: Loose) => boolean): Promise<Loose>;
  close(): void;
}

/** Opens a stream of server-sent events. */
export async function streamFrom(
  address: string,
  method: string,
  params: object,
  headers: Record<string, string> = BY_KEY,
): Promise<Streamed> {
  const stop = new AbortController();
  const response = await fetch(`${address}/a2a/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    signal: stop.signal,
  });
  assert.match(String(response.headers.get('content-type')), /^text\/event-stream/);
  const events: Loose[] = [];
  const waiting = new Set<() => void>();
  const streamed: Streamed = {
    events,
    comments: 0,
    ended: read(),
    async find(wanted) {
      for (;;) {
        const found = events.find(wanted);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    close: () => stop.abort(),
  };
  return streamed;

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }

  function take(line: string): void {
    if (line.startsWith(':')) streamed.comments += 1;
    else {
      const { result, error } = JSON.parse(line.slice('data: '.length));
      if (error === undefined) events.push(result);
      else streamed.error = error;
    }
    for (const resolve of waiting) resolve();
    waiting.clear();
  }
}
