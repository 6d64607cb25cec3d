/** The steps of a session method in the core: X-DID-Proof alone authenticates it. */
import { type CarriedProof, requireFresh } from '../access/didProof.ts';
import { loadAgentCaller } from '../domain/agents/loadAgent.ts';
import type { Deps } from '../usecase/deps.ts';
import { spendProof } from '../usecase/exchange.ts';
import { ended, steps } from '../usecase/steps.ts';
import { perform } from '../usecase/useCase.ts';
import { type Given, type Standing, type Taken, type Text, take } from './taken.ts';

interface SessionRequest extends Given {
  readonly name: 'createSession' | 'getSession';
  readonly address: string;
  readonly proof: CarriedProof;
}

interface Arrival {
  readonly deps: Deps;
  readonly standing: Standing;
  readonly asked: SessionRequest;
}

export const sessionSteps = steps<Arrival, Text | undefined>()
  .check('refuse an old proof', ({ deps, asked }) => requireFresh(asked.proof, deps.clock()))
  .find('know the agent', async ({ deps, standing, asked }) => {
    const caller = await deps.store.read(() => loadAgentCaller(asked.proof.did, 'AGENT_UNKNOWN'));
    standing.know(caller);
    return { caller };
  })
  .check('use the proof up', ({ deps, caller, asked }) =>
    deps.store.write(caller.tenantId, () => spendProof(asked.proof)),
  )
  .check('charge the agent', ({ standing }) => standing.charge())
  .find('end where the parameters are wrong', ({ asked: { input } }) =>
    input === undefined ? ended(undefined) : { input: input.value },
  )
  .finish(
    'run the use case',
    async ({ deps, caller, asked, input }) =>
      (await perform(deps, asked.name, { caller, reply: { kind: 'json' } }, input)).text,
  );

export function takeSession(deps: Deps, asked: SessionRequest): Promise<Taken> {
  return take(deps, asked.address, (standing) => sessionSteps.run({ deps, standing, asked }));
}

/** Lets an agent open a socket, which its proof vouches for from then on. */
export function admitSocket(deps: Deps, address: string, proof: CarriedProof): Promise<Taken> {
  return take(deps, address, async () => {
    requireFresh(proof, deps.clock());
    const caller = await deps.store.read(() => loadAgentCaller(proof.did, 'AGENT_UNKNOWN'));
    await deps.store.write(caller.tenantId, () => spendProof(proof));
    return '';
  });
}
