/** The methods of the gateway, each with the steps that its requests go through. */
import type { Deps } from '../handlers/core/deps.ts';
import type { Way } from '../handlers/core/steps.ts';
import type { GatewayRequest } from './gatewayRequest.ts';
import { messageWay } from './messageWay.ts';
import type { RpcOutcome } from './rpcAnswer.ts';
import { sessionWay } from './sessionWay.ts';

/** One JSON-RPC request as it arrives at its method. */
export interface Arrival {
  readonly deps: Deps;
  /** The HTTP request or socket that carried it. */
  readonly request: GatewayRequest;
  readonly params: unknown;
  /** Called with the caller's DID once it is known; a request that fails before that charges its address. */
  known(callerId: string): void;
}

export const methods: Readonly<Record<string, Way<Arrival, RpcOutcome>>> = {
  'a2a/message': messageWay,
  'a2a/session.create': sessionWay('createSession'),
  'a2a/session.get': sessionWay('getSession'),
};
