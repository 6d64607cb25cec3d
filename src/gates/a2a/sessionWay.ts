/** The steps of a session method, from its JSON-RPC parameters to its answer, through the gate and the core. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { sessionSteps } from '../../core/takeSession.ts';
import { table } from '../../operations/table.ts';
import { parseInput } from '../../usecase/parseInput.ts';
import { steps, type Way } from '../../usecase/steps.ts';
import { demandAnswer, parsedBy } from '../shell/parsed.ts';
import { JsonText, type RpcOutcome } from '../shell/rpcAnswer.ts';
import { requireNamed } from './gatewayRequest.ts';
import type { Arrival } from './methods.ts';

export function sessionWay(name: 'createSession' | 'getSession'): Way<Arrival, RpcOutcome> {
  return steps<Arrival, RpcOutcome>()
    .find('prove the caller', ({ request }) => {
      const proof = request.proof();
      if (proof === undefined) throw new Fault('UNVERIFIED', 'Send X-DID-Proof to vouch for this request.');
      requireNamed(request, proof.did);
      return { proof };
    })
    .find('parse the parameters', ({ params }) => ({
      parsed: parsedBy(() => parseInput(table[name].input, params ?? {})),
    }))
    .core(sessionSteps, async ({ gate, request, proof, parsed, settle }) => {
      const asked = { name, address: request.meter.address, proof, ...parsed.given };
      return { text: demandAnswer(parsed, settle(await gate.core.call('takeSession', asked))) };
    })
    .finish('reply', ({ text }) => ({ result: new JsonText(String(text)) }));
}
