/**
 * The gateway over WebSocket (RFC 6455): the same JSON-RPC, many requests in flight, each frame a request or a batch.
 * A proof sent with the upgrade vouches for session methods and unsigned messages on that socket.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Fault } from '../../protocol/wire/fault.ts';
import { MAX_BODY_BYTES } from '../access/body.ts';
import { agentCaller } from '../handlers/access/agentCaller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { answerText } from './answerText.ts';
import { type Conversation, converse } from './conversation.ts';
import type { Dispatch } from './dispatch.ts';
import { type GatewayRequest, gatewayRequest, requireNamed, spendProof, tooMany } from './gatewayRequest.ts';
import { GATEWAY_PATH } from './httpGateway.ts';

/** Sockets one DID, or one address that proved none, may hold open. */
const MAX_SOCKETS = 32;

interface Sockets {
  /** Takes no more upgrades, lets requests in flight end, then closes every socket. */
  drain(): Promise<void>;
}

export function acceptSockets(server: Server, deps: Deps, dispatch: Dispatch): Sockets {
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false });
  const open = new Map<string, Set<Conversation>>();
  let draining = false;

  async function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    if (draining) throw new Fault('UNAVAILABLE', 'The node is stopping.');
    if (request.url?.split('?')[0] !== GATEWAY_PATH) throw new Fault('NOT_FOUND', 'There is no socket here.');
    const address = `address ${request.socket.remoteAddress}`;
    const standing = deps.limits.charge(address, 'free', deps.clock());
    if (!standing.allowed) throw tooMany(standing);
    const carried = await admit(deps, request);
    const holder = carried.proof()?.did ?? address;
    const held = open.get(holder) ?? new Set();
    if (held.size >= MAX_SOCKETS) throw new Fault('RATE_LIMITED', `At most ${MAX_SOCKETS} sockets may be open.`);
    open.set(holder, held);
    upgrades.handleUpgrade(request, stream, head, (socket: WebSocket) => {
      const conversation = converse(socket, async (frame) => answerText(await dispatch(carried, frame)));
      held.add(conversation);
      socket.once('close', () => {
        held.delete(conversation);
        if (held.size === 0) open.delete(holder);
      });
    });
  }

  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    accept(request, stream, head).catch((error: unknown) => refuse(stream, error));
  });
  return {
    async drain() {
      draining = true;
      await Promise.all([...open.values()].flatMap((held) => [...held].map((conversation) => conversation.end())));
    },
  };
}

/** Checks and uses up the proof of an upgrade, where one was sent. */
async function admit(deps: Deps, request: IncomingMessage): Promise<GatewayRequest> {
  const headers = {
    agentDid: request.headers['x-agent-did']?.toString(),
    didProof: request.headers['x-did-proof']?.toString(),
  };
  const carried = gatewayRequest(deps, headers, { method: 'GET', path: GATEWAY_PATH, body: Buffer.alloc(0) });
  const proof = carried.proof();
  if (proof !== undefined) {
    requireNamed(carried, proof.did);
    const caller = await agentCaller(deps, proof.did, 'AGENT_UNKNOWN');
    await deps.store.write(caller.tenantId, () => spendProof(carried));
  }
  return carried;
}

/** An upgrade that is refused is answered as the HTTP request it was. */
function refuse(stream: Duplex, error: unknown): void {
  const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR', 'Something went wrong here.');
  const body = JSON.stringify({ error: { code: fault.mapping.shownAs ?? fault.code, message: fault.message } });
  stream.end(
    `HTTP/1.1 ${fault.mapping.http} Refused\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
