/** The methods of the gateway, each with the steps of its requests. */

import type { Taken, Text } from '../../core/taken.ts';
import type { Way } from '../../usecase/steps.ts';
import type { Gate } from '../shell/gate.ts';
import type { RpcOutcome } from '../shell/rpcAnswer.ts';
import type { GatewayRequest } from './gatewayRequest.ts';
import { messageWay } from './messageWay.ts';
import { sessionWay } from './sessionWay.ts';

/** One JSON-RPC request as it arrives at its method. */
export interface Arrival {
  readonly gate: Gate;
  /** The HTTP request or socket that carried it. */
  readonly request: GatewayRequest;
  readonly params: unknown;
  /**
   * Notes what became of it in the core, which has charged whom it had to; one that fails before charges its address.
   * @returns the core's answer @throws what the core threw
   */
  settle(taken: Taken): Text | undefined;
}

export const methods: Readonly<Record<string, Way<Arrival, RpcOutcome>>> = {
  'a2a/message': messageWay,
  'a2a/session.create': sessionWay('createSession'),
  'a2a/session.get': sessionWay('getSession'),
};
