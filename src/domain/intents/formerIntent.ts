/** Intents that a former key of the issuer signed: the holder of that key can sign others in its name. */
import { canonical } from '../../../protocol/credential/canonical.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

interface GivenIntent {
  readonly agentDid: string;
  readonly principalDid: string;
  /** The DID whose key signed it. */
  readonly issuer: string;
  readonly intentVc: object;
}

/**
 * Checks that the credential names whom the row names, and, where a former key signed it, that it is the very one that was issued
 * and, where that key was stolen, that the chain says so too.
 * @throws Fault BAD_REQUEST
 */
export function* requireIssued(deps: Pick<Deps, 'rotations'>, intent: IntentRow, given: GivenIntent): Script<void> {
  const namesOthers = given.agentDid !== intent.agent_did || given.principalDid !== intent.principal_did;
  if (namesOthers) throw refused('this node never issued it');
  const rotation = deps.rotations.find(({ from }) => from === given.issuer);
  if (rotation === undefined) return;
  if (canonical(given.intentVc) !== canonical(JSON.parse(intent.credential)))
    throw refused('this node never issued it');
  if (rotation.compromised !== true) return;
  const events = yield* listTransaction(intent.tenant_id, intent.transaction_id);
  const isHeld = events.some(
    ({ event_type: type, data }) => type === 'INTENT_ISSUED' && JSON.parse(data).mandateId === intent.mandate_id,
  );
  if (!isHeld) throw refused('its key was stolen, and the evidence does not have it');
}

function refused(reason: string): Fault {
  return new Fault('BAD_REQUEST', `The intent credential cannot be accepted: ${reason}`, [
    { path: 'intentVc', message: reason },
  ]);
}
