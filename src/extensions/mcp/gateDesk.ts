/** The tools over HTTP ask the core, for the caller of the message that called them. */
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import type { Caller } from '../../access/caller.ts';
import type { RequestCredential } from '../../core/callerOf.ts';
import { bodyOf } from '../../core/serveRequest.ts';
import type { Gate } from '../../gates/shell/gate.ts';
import { parseInput, useCaseIn } from '../../usecase/useCase.ts';
import type { Desk } from '../tool.ts';

/** @param address as the rate limiter names where they come from @param opened what the core says of the visit */
export function gateDesk(
  gate: Gate,
  address: string,
  credential: RequestCredential,
  { visitor, visit }: { readonly visitor: Caller; readonly visit: string },
): Desk {
  const [agentDid, ...others] = visitor.agents ?? [];
  return {
    agent: async () => (others.length === 0 ? agentDid : undefined),
    callerId: `${visitor.kind} ${visitor.id}`,
    async ask(name, given) {
      const useCase = useCaseIn(gate.operations, name);
      const value = parseInput(useCase.input, given);
      const { idempotencyKey: key } = value as { readonly idempotencyKey?: string };
      const isRepeatable = useCase.idempotent === true && key !== undefined;
      const repeatable = isRepeatable
        ? { key, hash: hashText(gate.suite, canonical(given)), route: `mcp ${name}` }
        : undefined;
      const asked = {
        name,
        address,
        credential,
        visit,
        isCharged: true,
        repeatable,
        input: { value },
      } as const;
      return JSON.parse(String(bodyOf(await gate.core.call('takeRequest', asked))));
    },
    seal: (state) => gate.core.call('sealState', state),
    open: (state) => gate.core.call('openState', state),
  };
}
