/** Chooses the instrument of a purchase: the one that the request names, else one registered for its agent or principal. */
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { listInstrumentsOf } from '../../store/statements/registry/instruments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

export interface Paying {
  /** The payment method at the rail; the rail's default when absent. */
  readonly instrument?: string;
  readonly customer?: string;
}

/** Whose instruments may be paid with. */
interface Holders {
  readonly agentDid: string;
  readonly principalDid: string;
}

export function holdersOf(purchase: { readonly agent_did: string; readonly principal_did: string }): Holders {
  return { agentDid: purchase.agent_did, principalDid: purchase.principal_did };
}

/**
 * @param named an instrument's id, or the rail's name of a payment method
 * @throws Fault BAD_REQUEST for one that is not registered, because it could belong to anyone at the rail
 */
export function* chooseInstrument(
  deps: Pick<Deps, 'rails'>,
  tenantId: string,
  railId: string | undefined,
  holder: Holders,
  named: string | undefined,
): Script<Paying> {
  const registered = yield* listInstrumentsOf(tenantId, holder.agentDid, holder.principalDid);
  const row =
    named === undefined ? registered[0] : registered.find((one) => one.id === named || one.payment_method === named);
  if (row !== undefined) {
    return compact({ instrument: row.payment_method, customer: row.customer ?? undefined });
  }
  if (named === undefined) return {};
  if (railId !== undefined && deps.rails.get(railId)?.accepts(named) === true) return { instrument: named };
  const message = 'is not registered for this agent or its principal; see POST /ap2/admin/instruments';
  throw new Fault('BAD_REQUEST', `The instrument ${message}.`, [{ path: 'instrument', message }]);
}
