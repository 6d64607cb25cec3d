/** The tools over HTTP ask the core, each time with the credential of the message that called them. */
import { canonical, hashText } from '../../protocol/credential/canonical.ts';
import type { Credential } from '../core/callerOf.ts';
import type { Gate } from '../core/gate.ts';
import { answerOf } from '../core/taken.ts';
import type { Visitor } from '../core/takeVisit.ts';
import { table } from '../operations/table.ts';
import { parseInput } from '../usecase/parseInput.ts';
import type { UseCase } from '../usecase/useCase.ts';
import type { Desk } from './desk.ts';

/** @param visitor as the core knows who visits @param address as the rate limiter names where they come from */
export function gateDesk(gate: Gate, address: string, credential: Credential, visitor: Visitor): Desk {
  return {
    agent: async () => visitor.agentDid,
    callerId: visitor.callerId,
    async ask(name, given) {
      const useCase = table[name] as UseCase;
      const value = parseInput(useCase.input, given);
      const { idempotencyKey: key } = value as { readonly idempotencyKey?: string };
      const isRepeatable = useCase.idempotent === true && key !== undefined;
      const repeatable = isRepeatable
        ? { key, hash: hashText(gate.suite, canonical(given)), route: `mcp ${name}` }
        : undefined;
      const asked = { name, address, credential, isCharged: true, repeatable, input: { value } } as const;
      return JSON.parse(String(answerOf(await gate.core.call('takeRequest', asked))));
    },
    seal: (state) => gate.core.call('sealState', state),
    open: (state) => gate.core.call('openState', state),
  };
}
