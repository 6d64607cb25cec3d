/** Whom a payment method or a wallet belongs to, by name: an agent, or a principal for whom agents buy. */
import { AgentName } from '../values/AgentName.tsx';

interface HolderNameProps {
  readonly of: { readonly agentDid?: string | undefined; readonly principalDid?: string | undefined };
  /** What people call the principal, where that is known. */
  readonly principal: string | undefined;
}

export function HolderName({ of: { agentDid, principalDid }, principal }: HolderNameProps) {
  if (agentDid !== undefined) return <AgentName did={agentDid} />;
  return principalDid === undefined ? <>every agent</> : <bdi>{principal ?? `…${principalDid.slice(-8)}`}</bdi>;
}
