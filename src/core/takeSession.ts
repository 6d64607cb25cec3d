/** The steps of a session method in the core: X-DID-Proof alone authenticates it. */
import { type CarriedProof, requireFresh } from '../access/didProof.ts';
import { loadAgentCaller } from '../domain/agents/loadAgent.ts';
import type { Deps } from '../usecase/deps.ts';
import { spendProof } from '../usecase/exchange.ts';
import { reply, steps } from '../usecase/steps.ts';
import { perform } from '../usecase/useCase.ts';
import { type CoreReply, type ParsedInput, type RequestQuota, type StepsResult, serveRequest } from './serveRequest.ts';

interface SessionRequest extends ParsedInput {
  readonly name: 'createSession' | 'getSession';
  readonly address: string;
  readonly proof: CarriedProof;
}

interface Arrival {
  readonly deps: Deps;
  readonly quota: RequestQuota;
  readonly asked: SessionRequest;
}

export const sessionSteps = steps<Arrival, StepsResult>()
  .check('refuse an old proof', ({ deps, asked }) => requireFresh(asked.proof, deps.clock()))
  .find('know the agent', async ({ deps, quota, asked }) => {
    const caller = await deps.store.read(() => loadAgentCaller(asked.proof.did, 'AGENT_UNKNOWN'));
    quota.know(caller);
    return { caller };
  })
  .check('use the proof up', ({ deps, caller, asked }) =>
    deps.store.write(caller.tenantId, () => spendProof(asked.proof)),
  )
  .check('charge the agent', ({ quota }) => quota.charge())
  .find('end where the parameters are wrong', ({ asked: { input } }) =>
    input === undefined ? reply({}) : { input: input.value },
  )
  .finish('run the use case', async ({ deps, caller, asked, input }) => ({
    body: (await perform(deps, asked.name, { caller, reply: { kind: 'json' } }, input)).text,
  }));

export function takeSession(deps: Deps, asked: SessionRequest): Promise<CoreReply> {
  return serveRequest(deps, asked.address, (quota) => sessionSteps.run({ deps, quota, asked }));
}

/** Lets an agent open a socket, which its proof vouches for from then on. */
export function admitSocket(deps: Deps, address: string, proof: CarriedProof): Promise<CoreReply> {
  return serveRequest(deps, address, async () => {
    requireFresh(proof, deps.clock());
    const caller = await deps.store.read(() => loadAgentCaller(proof.did, 'AGENT_UNKNOWN'));
    await deps.store.write(caller.tenantId, () => spendProof(proof));
    return { body: '' };
  });
}
