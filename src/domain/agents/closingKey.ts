/** Which agent a key closes mandates for: the one whose key it was set to be, or the first that has brought a chain closed by it. */
import { type PublicJwk, thumbprint } from '../../../protocol/jwk/jwk.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import {
  deleteMandateKey,
  findMandateKey,
  insertMandateKey,
  listMandateKeysOf,
  type MandateKeyRow,
} from '../../store/statements/registry/mandateKeys.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

type Party = Pick<AgentRow, 'tenant_id' | 'did'>;

/** A key that closes a mandate, with the agent that it is of by now. */
export interface ClosingKey {
  readonly jwk: PublicJwk;
  readonly thumbprint: string;
  /** Undefined where it is no agent's yet. */
  readonly agentDid: string | undefined;
}

/** @param jwk undefined where a person has closed the mandate */
export function* findClosingKey(
  deps: Pick<EventDeps, 'suite'>,
  tenantId: string,
  jwk: PublicJwk | undefined,
): Script<ClosingKey | undefined> {
  if (jwk === undefined) return undefined;
  const name = thumbprint(deps.suite, jwk);
  return { jwk, thumbprint: name, agentDid: (yield* findMandateKey(tenantId, name))?.agent_did };
}

/** The refusal of an agent that brings what the key of another one closes. */
export function refuseOtherAgent(key: ClosingKey | undefined, { did }: Party): ReasonDetails {
  if (key?.agentDid === undefined || key.agentDid === did) return {};
  return { MANDATE_INVALID: { message: 'The mandate was given to a key of another agent, which alone may bring it.' } };
}

/** A key that was no agent's is this one's from now on. */
export function* bindMandateKey(deps: EventDeps, agent: Party, key: ClosingKey | undefined, now: number): Script<void> {
  if (key === undefined || key.agentDid !== undefined) return;
  yield* insertMandateKey(rowOf(agent, key.thumbprint, key.jwk, now));
  const data = { agentDid: agent.did, jwk: key.jwk, jwkThumbprint: key.thumbprint };
  yield* recordEvent(deps, agent.tenant_id, { eventType: 'MANDATE_KEY_BOUND', actorDid: agent.did, data }, now);
}

/**
 * Makes some keys those of an agent, and no other ones.
 * @returns their thumbprints
 * @throws Fault CONFLICT for a key of another agent
 */
export function* setMandateKeys(
  deps: Pick<EventDeps, 'suite'>,
  agent: Party,
  jwks: readonly PublicJwk[],
  now: number,
): Script<string[]> {
  const { tenant_id: tenantId, did } = agent;
  const wanted = new Map(jwks.map((jwk) => [thumbprint(deps.suite, jwk), jwk]));
  for (const { thumbprint: name } of yield* listMandateKeysOf(tenantId, did)) {
    if (!wanted.has(name)) yield* deleteMandateKey(tenantId, name);
  }
  for (const [name, jwk] of wanted) {
    const former = yield* findMandateKey(tenantId, name);
    if (former === undefined) yield* insertMandateKey(rowOf(agent, name, jwk, now));
    else if (former.agent_did !== did) throw ofAnother(former);
  }
  return [...wanted.keys()];
}

function ofAnother({ agent_did: did, thumbprint: name }: MandateKeyRow): Fault {
  const message = `has the key ${name}, which is that of the agent ${did}; take it from that one first`;
  return new Fault('CONFLICT', `mandateKeys ${message}.`, [{ path: 'mandateKeys', message }]);
}

function rowOf({ tenant_id, did }: Party, name: string, jwk: PublicJwk, now: number): MandateKeyRow {
  return { tenant_id, thumbprint: name, agent_did: did, jwk: JSON.stringify(jwk), created_at: now };
}
