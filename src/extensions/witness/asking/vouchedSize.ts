/** How far enough witnesses vouch for a chain. */
import type { ChainWitnessRow } from '../../../store/statements/evidence/cosignatures.ts';
import type { Witnesses } from './witnesses.ts';

/**
 * How many events enough of the named witnesses have seen: what continues a checkpoint vouches for it. No checkpoint over more
 * events has been cosigned by enough of them.
 * @param rows how each witness stands to the chain
 * @returns 0 where too few have cosigned anything
 */
export function vouchedSize(
  { named, quorum }: Pick<Witnesses, 'named' | 'quorum'>,
  rows: readonly ChainWitnessRow[],
): number {
  const sizes = new Map(rows.map(({ witness, size }) => [witness, size]));
  const seen = named.map(({ verifierKey }) => sizes.get(verifierKey) ?? 0);
  return seen.toSorted((one, other) => other - one)[quorum - 1] ?? 0;
}
