/** A delegation with what its mandates were used for: as it is shown, and as it is judged. */

import type { DelegatedMandate } from '../../../../protocol/ap2/delegatedPurchase.ts';
import {
  type Delegation,
  type DelegationUse,
  delegationLimits,
  delegationStatusAt,
  NO_USE,
} from '../../../../protocol/ap2/delegation.ts';
import { fromMinor } from '../../../../protocol/money.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { MandateDelegationRow } from '../../../store/statements/purchases/mandateDelegations.ts';
import { listMandateLimits, type MandateLimitRow } from '../../../store/statements/purchases/mandateUses.ts';
import { listUndelegated, type SpendingPair } from '../../../store/statements/registry/principals.ts';
import type { Script } from '../../../store/store.ts';

export function mandatesOf({ mandates }: Pick<MandateDelegationRow, 'mandates'>): DelegatedMandate {
  return JSON.parse(mandates) as DelegatedMandate;
}

/** A row with what each of its mandates was used for. */
export interface UsedDelegation {
  readonly id: string;
  readonly row: MandateDelegationRow;
  readonly uses: readonly DelegationUse[];
  /** False where the principal is governed and has not allowed the agent to spend its money. */
  readonly isDelegated: boolean;
}

/** Rows of one tenant with their uses, and whether their agents may spend the money, in two queries. */
export function* withUses(rows: readonly MandateDelegationRow[]): Script<UsedDelegation[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const hashesOf = (row: MandateDelegationRow) => mandatesOf(row).limits.map(({ jwtHash }) => jwtHash);
  const found = yield* listMandateLimits(first.tenant_id, [...new Set(rows.flatMap(hashesOf))]);
  const byHash = new Map(found.map((limit) => [limit.jwt_hash, useIn(limit)]));
  const refused = new Set((yield* listUndelegated(first.tenant_id, pairsOf(rows))).map(keyOf));
  return rows.map((row) => ({
    id: row.id,
    row,
    uses: hashesOf(row).map((hash) => byHash.get(hash) ?? NO_USE),
    isDelegated: !refused.has(keyOf(row)),
  }));
}

/** Each once: an agent may have many mandates for the same money. */
function pairsOf(rows: readonly MandateDelegationRow[]): SpendingPair[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

function keyOf({ principal_did, agent_did }: SpendingPair): string {
  return `${principal_did} ${agent_did}`;
}

function useIn({
  uses,
  spent_minor: spentMinor,
  last_use_at: lastUseAt,
  revoked_at: at,
}: MandateLimitRow): DelegationUse {
  return { uses, spentMinor, lastUseAt: lastUseAt ?? undefined, isRevoked: at !== null };
}

/** @param now milliseconds since the epoch */
export function showDelegation({ row, uses, isDelegated }: UsedDelegation, now: number): Delegation {
  const mandates = mandatesOf(row);
  const limits = delegationLimits(mandates, row.expires_at === null ? undefined : isoTime(row.expires_at));
  const own = uses.at(-1) ?? NO_USE;
  const { currency } = limits;
  return {
    id: row.id,
    agentDid: row.agent_did,
    principalDid: row.principal_did,
    limits,
    openHash: row.open_hash,
    status: delegationStatusAt(mandates, uses, row.expires_at, now),
    used: compact({ uses: own.uses, spent: currency === undefined ? undefined : fromMinor(own.spentMinor, currency) }),
    delegated: isDelegated,
    createdAt: isoTime(row.created_at),
  };
}
