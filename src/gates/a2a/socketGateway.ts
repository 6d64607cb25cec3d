/**
 * The gateway over WebSocket (RFC 6455): the same JSON-RPC, many requests in flight, each frame a request or a batch.
 * A proof sent with the upgrade vouches for session methods and unsigned messages on that socket.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Fault } from '../../../protocol/wire/fault.ts';
import { POLICY_REFUSAL } from '../../../protocol/wire/message.ts';
import { MAX_BODY_BYTES } from '../../access/body.ts';
import type { CarriedProof } from '../../access/didProof.ts';
import type { Gate } from '../shell/gate.ts';
import { requireOwnOrigin } from '../shell/http.ts';
import { answerText, type RpcAnswer } from '../shell/jsonRpc.ts';
import { chargedFault, toldFault } from '../shell/requestRecord.ts';
import { type Conversation, converse } from './conversation.ts';
import { type Dispatch, GATEWAY_PATH, type GatewayRequest, gatewayRequest } from './gateway.ts';
import { requireNamed } from './methods.ts';

/** Sockets one DID, or one address that proved none, may hold open. */
const MAX_SOCKETS = 32;

interface Sockets {
  /** Takes no more upgrades, begins no more frames, lets those under way end, and closes every socket within the time. */
  drain(withinMs: number): Promise<void>;
}

export function acceptSockets(server: Server, gate: Gate, dispatch: Dispatch): Sockets {
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false });
  const open = new Map<string, Set<Conversation>>();
  let draining = false;

  function requireServing(): void {
    if (draining) throw new Fault('UNAVAILABLE', 'The node is stopping.');
  }

  async function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    requireServing();
    const carried = await admit(gate, request);
    // The node may have been asked to stop meanwhile.
    requireServing();
    const holder = carried.proof()?.did ?? carried.meter.address;
    if ((open.get(holder)?.size ?? 0) >= MAX_SOCKETS)
      throw new Fault('RATE_LIMITED', `At most ${MAX_SOCKETS} sockets may be open.`);
    upgrades.handleUpgrade(request, stream, head, (socket: WebSocket) => {
      const conversation = converse(socket, async (frame) => {
        const answer = await traceFrame(gate.tracing, () => dispatch(carried, frame));
        return { text: answerText(answer), failed: [answer].flat().every(isFailure) };
      });
      // Only now: the place of a handshake that fails would never be cleared.
      const held = open.get(holder) ?? new Set();
      open.set(holder, held.add(conversation));
      socket.once('close', () => {
        held.delete(conversation);
        if (held.size === 0) open.delete(holder);
      });
    });
  }

  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    accept(request, stream, head).catch((error: unknown) =>
      refuse(stream, toldFault(gate.log, error, { gate: 'a2a' })),
    );
  });
  return {
    async drain(withinMs) {
      draining = true;
      const conversations = [...open.values()].flatMap((held) => [...held]);
      await Promise.all(conversations.map((conversation) => conversation.end(withinMs)));
    },
  };
}

/** A frame has no headers that could name a trace: each begins one. */
function traceFrame<T>(tracing: Gate['tracing'], answer: () => Promise<T>): Promise<T> {
  return tracing === undefined ? answer() : tracing.within({}, () => tracing.span('a2a', 'server', answer));
}

/** A refusal by the policy is an answer; every other error is a failure. */
function isFailure({ error }: RpcAnswer): boolean {
  return error !== undefined && error.code !== POLICY_REFUSAL;
}

/**
 * Checks an upgrade, and uses its proof up. One without a proof, or one that is refused, charges its address.
 * @throws Fault
 */
async function admit(gate: Gate, request: IncomingMessage): Promise<GatewayRequest> {
  const headers = {
    agentDid: request.headers['x-agent-did']?.toString(),
    didProof: request.headers['x-did-proof']?.toString(),
  };
  const http = { method: 'GET', path: GATEWAY_PATH, body: Buffer.alloc(0) };
  const carried = gatewayRequest(gate, request, headers, http);
  try {
    if (request.url?.split('?')[0] !== GATEWAY_PATH) throw new Fault('NOT_FOUND', 'There is no socket here.');
    // Browsers open sockets to any site and send no preflight (RFC 6455 section 10.2).
    requireOwnOrigin(gate.settings, request.headers.origin, 'open a socket here');
    if (headers.didProof === undefined) carried.namedDid();
    else requireNamed(carried, (carried.proof() as CarriedProof).did);
  } catch (error) {
    throw await chargedFault(carried.meter.chargeAddress, error);
  }
  if (headers.didProof === undefined) {
    await carried.meter.chargeAddress();
  } else {
    carried.meter.settle(await gate.core.call('admitSocket', carried.meter.address, carried.proof() as CarriedProof));
    carried.admitted();
  }
  return carried;
}

/** An upgrade that is refused is answered as the HTTP request it was. */
function refuse(stream: Duplex, fault: Fault): void {
  // The server leaves connections half open, and a peer that does not close its half would hold up the stop.
  stream.once('finish', () => stream.destroy());
  const body = JSON.stringify({ error: { code: fault.shownCode, message: fault.message } });
  stream.end(
    `HTTP/1.1 ${fault.mapping.http} Refused\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
