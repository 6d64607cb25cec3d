/** What the owner has set, event by event: who may buy, whose money, under which policy. */
import { type AgentLimit, AgentLimitOf, type Event, FACTS } from './shapes.ts';

interface Policy {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
}

export class Standing {
  readonly #agents = new Map<string, { status: string; limit: AgentLimit | undefined }>();
  readonly #delegates = new Map<string, ReadonlySet<string>>();
  policy: Policy | undefined;

  /** Takes over what an event changes of it. */
  follow({ eventType, data }: Event): void {
    const status = STATUS_AFTER[eventType];
    if (status !== undefined) this.#agent(FACTS.AGENT.parse(data).agentDid).status = status;
    if (eventType === 'AGENT_VELOCITY_UPDATED') {
      this.#agent(FACTS.AGENT.parse(data).agentDid).limit = AgentLimitOf.parse(data['velocity']);
    }
    if (eventType === 'POLICY_CREATED' || eventType === 'POLICY_UPDATED') {
      const { policyId: id, policyVersion: version, policyHash: hash, isActive } = FACTS.POLICY.parse(data);
      if (isActive) this.policy = { id, version, hash };
    }
    if (eventType === 'PRINCIPAL_REGISTERED' || eventType === 'DELEGATION_CHANGED') {
      const { principalDid, agents = [] } = FACTS.PRINCIPAL.parse(data);
      this.#delegates.set(principalDid, new Set(agents));
    }
  }

  #agent(did: string) {
    const agent = this.#agents.get(did) ?? { status: 'UNKNOWN', limit: undefined };
    this.#agents.set(did, agent);
    return agent;
  }

  statusOf(agent: string): string {
    return this.#agents.get(agent)?.status ?? 'UNKNOWN';
  }

  limitOf(agent: string): AgentLimit | undefined {
    return this.#agents.get(agent)?.limit;
  }

  isGoverned(principal: string): boolean {
    return this.#delegates.has(principal);
  }

  /** Whose limits a purchase counts in: a governed principal's that has delegated to the agent; undefined for the agent's own alone. */
  governedBy(agent: string, principal: string): string | undefined {
    return this.isGoverned(principal) && this.mayName(agent, principal) ? principal : undefined;
  }

  /** Every agent may name a principal that is not registered. */
  mayName(agent: string, principal: string): boolean {
    return this.#delegates.get(principal)?.has(agent) ?? true;
  }
}

const STATUS_AFTER: Readonly<Record<string, string>> = {
  AGENT_CREATED: 'ACTIVE',
  AGENT_REACTIVATED: 'ACTIVE',
  AGENT_SUSPENDED: 'SUSPENDED',
  AGENT_REVOKED: 'REVOKED',
};
