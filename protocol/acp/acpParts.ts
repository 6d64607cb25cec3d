/** The data part by which a checkout session of ACP is paid in a task. */
import { z } from 'zod';
import type { Exchange, ExchangePart } from '../a2a/exchangePart.ts';
import { AcpCartRequest } from './acpRequest.ts';

export interface AcpExchange extends Exchange {
  readonly kind: 'acpSession';
  readonly input: AcpCartRequest;
}

export const acpParts: readonly ExchangePart[] = [
  {
    name: 'countersign.acpSession',
    schema: ({ filled }) =>
      z
        .preprocess((input) => filledBeside(input, filled(input)), AcpCartRequest)
        .transform((input): AcpExchange => ({ kind: 'acpSession', input })),
  },
];

/** The intent says whose money it is, so that with one only the agent is filled in. */
function filledBeside(input: unknown, filled: unknown): unknown {
  if (!Object.hasOwn(Object(input), 'intentId')) return filled;
  const { agentDid } = filled as { readonly agentDid?: unknown };
  return { ...(input as object), agentDid };
}
