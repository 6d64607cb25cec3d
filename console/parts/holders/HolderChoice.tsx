/** The owner chooses by name who is to have a payment method or a wallet. */
import type { Principal } from '../../../client/operations.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { Choice } from '../form/Field.tsx';

interface HolderChoiceProps {
  readonly label: string;
  /** What is shown while none is chosen. */
  readonly none: string;
  readonly principals: readonly Principal[];
  /** A DID. */
  readonly value: string;
  onChange(value: string): void;
}

export function HolderChoice({ label, none, principals, value, onChange }: HolderChoiceProps) {
  return (
    <Choice
      label={label}
      name={memberOf(value, principals)}
      value={value}
      options={[
        ['', none],
        ...namedAgents(),
        ...principals.map(({ did, name }) => [did, `${name} (person or company)`] as const),
      ]}
      onChange={onChange}
    />
  );
}

/** As which member of a request the node takes it. */
export function memberOf(did: string, principals: readonly Principal[]): 'agentDid' | 'principalDid' {
  return principals.some((principal) => principal.did === did) ? 'principalDid' : 'agentDid';
}
