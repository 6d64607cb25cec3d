/** Shared payment tokens as their owner sees them: one, a list, their numbers, and taking one back. */

import { z } from 'zod';
import { fromMinor } from '../../../../protocol/money.ts';
import { ListSpts, Spt, SptOverview, sptStatusAt } from '../../../../protocol/spt.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { Caller } from '../../../access/caller.ts';
import { endToken } from '../../../domain/spt/endSpt.ts';
import {
  findSharedPaymentToken,
  listSharedPaymentTokens,
  type SharedPaymentTokenRow,
  sumSharedPaymentTokens,
} from '../../../store/statements/purchases/sharedPaymentTokens.ts';
import { addMinor } from '../../../store/statements/queries.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { byId, listing } from '../../../usecase/list/listing.ts';
import { inOneRead, inSteps, useCase } from '../../../usecase/useCase.ts';
import { tokenRail } from './tokenRail.ts';

const ById = z.object({ id: z.string() });

function* load(caller: Caller, id: string): Script<SharedPaymentTokenRow> {
  const token = yield* findSharedPaymentToken(caller.tenantId, id);
  if (token === undefined) throw new Fault('NOT_FOUND', `There is no shared payment token ${id}.`);
  return token;
}

export const getSpt = useCase({
  summary: 'Shows one shared payment token.',
  input: ById,
  output: Spt,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof ById>, Spt>(function* (_deps, caller, { id }, now) {
    return showToken(yield* load(caller, id), now);
  }),
});

export const listSpts = listing({
  summary: 'Lists shared payment tokens, newest first.',
  input: ListSpts,
  item: Spt,
  permission: 'admin',
  order: byId,
  isLong: ({ status }) => status !== undefined,
  select: ({ tenantId }, { status }, before, limit, now) =>
    listSharedPaymentTokens(tenantId, status, now, before, limit),
  show: showToken,
});

export const revokeSpt = useCase({
  summary: 'Revokes a shared payment token; it cannot be used any more.',
  input: ById,
  output: Spt,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inSteps<z.output<typeof ById>, Spt>(async (deps: EventDeps & Pick<Deps, 'rails' | 'store'>, caller, { id }) => {
    const token = await deps.store.read(function* (now) {
      const found = yield* load(caller, id);
      requireActive(found, now);
      return found;
    });
    // First where it can be used: a token is called revoked only once it is.
    if (token.rail_token_id !== null) await revokeAtRail(deps, token.rail_token_id);
    return deps.store.write(caller.tenantId, function* (now) {
      const current = yield* load(caller, id);
      requireActive(current, now);
      return showToken(yield* endToken(deps, current, 'REVOKED', now), now);
    });
  }),
});

function requireActive({ status, expires_at: expiresAt }: SharedPaymentTokenRow, now: number): void {
  const standing = sptStatusAt({ status, expiresAt }, now);
  if (standing !== 'ACTIVE') throw new Fault('CONFLICT', `A token that is ${standing} cannot be revoked.`);
}

async function revokeAtRail({ rails }: Pick<Deps, 'rails'>, railTokenId: string): Promise<void> {
  const issuer = tokenRail(rails)?.tokens;
  if (issuer === undefined) {
    throw new Fault('UNAVAILABLE', 'The rail that made this token is not configured on this node.');
  }
  await issuer.revoke(railTokenId);
}

const NoInput = z.object({});

export const sptOverview = useCase({
  summary: 'Counts shared payment tokens by state, and their amounts by currency.',
  input: NoInput,
  output: SptOverview,
  permission: 'admin',
  run: inOneRead<z.output<typeof NoInput>, SptOverview>(function* (_deps, caller, _input, now) {
    const none = () => ({ total: 0, active: 0, used: 0, expired: 0, revoked: 0 });
    const counts = none();
    const minor: Record<string, ReturnType<typeof none>> = {};
    for (const sum of yield* sumSharedPaymentTokens(caller.tenantId, now)) {
      const state = sum.status.toLowerCase() as 'active' | 'used' | 'expired' | 'revoked';
      minor[sum.currency] ??= none();
      const amounts = minor[sum.currency] as ReturnType<typeof none>;
      counts.total += sum.tokens;
      counts[state] += sum.tokens;
      amounts.total = addMinor(amounts.total, sum.amount_minor);
      amounts[state] = addMinor(amounts[state], sum.amount_minor);
    }
    const amounts = Object.entries(minor).map(([currency, sums]) => [
      currency,
      Object.fromEntries(Object.entries(sums).map(([state, sum]) => [state, fromMinor(sum, currency)])),
    ]);
    return { ...counts, amounts: Object.fromEntries(amounts) };
  }),
});

export function showToken(token: SharedPaymentTokenRow, now: number): Spt {
  return compact({
    id: token.id,
    status: sptStatusAt({ status: token.status, expiresAt: token.expires_at }, now),
    merchantDomain: token.merchant_domain,
    amount: fromMinor(token.amount_minor, token.currency),
    currency: token.currency,
    mandate: compact({
      intentId: token.intent_id ?? undefined,
      cartId: token.cart_id ?? undefined,
      paymentId: token.payment_id ?? undefined,
    }),
    createdAt: isoTime(token.created_at),
    expiresAt: isoTime(token.expires_at),
    usedAt: isoTime(token.used_at),
    railTokenId: token.rail_token_id ?? undefined,
    railTransactionId: token.rail_payment_id ?? undefined,
  });
}
