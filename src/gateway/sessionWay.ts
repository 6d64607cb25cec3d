/** The steps of a session method, which X-DID-Proof alone authenticates, from its JSON-RPC parameters to its answer. */
import { Fault } from '../../protocol/wire/fault.ts';
import { loadAgentCaller } from '../handlers/access/agentCaller.ts';
import { spendProof } from '../handlers/core/exchange.ts';
import { parseInput } from '../handlers/core/parseInput.ts';
import { perform } from '../handlers/core/perform.ts';
import { steps, type Way } from '../handlers/core/steps.ts';
import { table } from '../handlers/core/table.ts';
import { requireNamed } from './gatewayRequest.ts';
import type { Arrival } from './methods.ts';
import type { RpcOutcome } from './rpcAnswer.ts';

export function sessionWay(name: 'createSession' | 'getSession'): Way<Arrival, RpcOutcome> {
  return steps<Arrival, RpcOutcome>()
    .find('prove the caller', ({ request }) => {
      const proof = request.proof();
      if (proof === undefined) throw new Fault('UNVERIFIED', 'Send X-DID-Proof to vouch for this request.');
      requireNamed(request, proof.did);
      return { proof };
    })
    .find('know the agent', async ({ deps, proof, known }) => {
      const caller = await deps.store.read(() => loadAgentCaller(proof.did, 'AGENT_UNKNOWN'));
      known(caller.id);
      return { caller };
    })
    .check('use the proof up', async ({ deps, caller, proof }) => {
      await deps.store.write(caller.tenantId, () => spendProof(proof));
    })
    .check('charge the agent', ({ request, caller }) => request.chargeAgent(caller.id))
    .find('parse the parameters', ({ params }) => ({ input: parseInput(table[name].input, params ?? {}) }))
    .finish('run the use case', async ({ deps, caller, input }) => {
      const { output } = await perform(deps, name, { caller, reply: { kind: 'output' } }, input);
      return { result: output };
    });
}
