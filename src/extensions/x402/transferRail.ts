/** The rail of x402: wallets sign transfers, and the chain says what became of them. The node sends none, and pays for none. */

import { safeClient } from '../../fetch/safeClient.ts';
import type { Rail, RailOutcome, RailRequest, RailSnapshot } from '../../rails/rail.ts';
import { findWalletById, rpcContext, walletContext } from '../../store/statements/registry/wallets.ts';
import type { Kernel } from '../../usecase/deps.ts';
import { isLocalRpc } from './rpcUrl.ts';
import { SignedTransfer, signTransfer } from './signedTransfer.ts';
import { transferState } from './transferState.ts';

export const X402_RAIL = 'X402_RAIL';

/** After its end no chain takes a transfer; by then a settlement that was in time is known. */
const GRACE_MS = 60_000;
const MOST_ANSWER_BYTES = 262_144;

type RailDeps = Pick<Kernel, 'issuer' | 'sealer' | 'settings' | 'stopping' | 'store' | 'suite'>;

export function transferRail(deps: RailDeps): Rail {
  const look = chainLookup(deps);
  const refuse = async (): Promise<RailOutcome> =>
    declined('merchant_captures', 'The merchant settles the transfer, and gives the money back.');
  return {
    id: X402_RAIL,
    gate: { cancels: false },
    capabilities: { partialCapture: false, partialRefund: false },
    authorize: (_key, request) => authorize(deps, request),
    capture: refuse,
    refund: refuse,
    // A signature cannot be taken back: only a hold that has lapsed ends, once the chain shows that it was not used.
    cancel: async (_key, { credential, mandateId }) =>
      credential === undefined
        ? { kind: 'ok', railId: mandateId, status: 'canceled' }
        : endOf(await look(SignedTransfer.parse(JSON.parse(credential)))),
    // Nothing is lost of what was signed: asked again, the same is signed.
    status: async () => undefined,
    accepts: (instrument) => instrument.startsWith('wal_'),
    snapshot: async (_railId, _signal, credential) =>
      credential === undefined ? undefined : look(SignedTransfer.parse(JSON.parse(credential))),
  };
}

async function authorize(deps: RailDeps, request: RailRequest): Promise<RailOutcome> {
  const wallet = await deps.store.read(() => findWalletById(String(request.instrument)));
  if (wallet === undefined) return declined('wallet_removed', 'The wallet was removed in the meantime.');
  const key = deps.sealer.open(wallet.sealed_key, walletContext(wallet.id));
  const { transfer, mandate } = await signTransfer(deps, request, wallet, key);
  const { authorization } = transfer;
  return {
    kind: 'ok',
    railId: authorization.nonce,
    status: 'signed',
    holdUntil: Number(authorization.validBefore) * 1000 + GRACE_MS,
    credential: JSON.stringify(transfer),
    proof: { transfer: { network: transfer.network, asset: transfer.asset, ...authorization }, mandate },
  };
}

/** @returns the payment's state by its chain @throws Error where the chain is not asked, or does not answer */
function chainLookup(deps: RailDeps): (transfer: SignedTransfer) => Promise<RailSnapshot> {
  const { store, sealer, settings, stopping } = deps;
  const options = { timeoutMs: settings.rail.timeoutSeconds * 1000, maxAnswerBytes: MOST_ANSWER_BYTES };
  const outside = safeClient({ ...options, allowPrivate: false });
  const local = safeClient({ ...options, allowPrivate: true });
  stopping.addEventListener('abort', () => {
    for (const client of [outside, local]) client.close().catch(() => undefined);
  });
  return async (transfer) => {
    const sealed = (await store.read(() => findWalletById(transfer.wallet)))?.sealed_rpc_url ?? undefined;
    const url = sealed && sealer.open(sealed, rpcContext(transfer.wallet));
    if (url === undefined) throw new Error(`The wallet ${transfer.wallet} has no address where its chain is asked.`);
    const client = isLocalRpc(deps, url) ? local : outside;
    const found = await transferState(client, url, transfer);
    const { nonce, validBefore } = transfer.authorization;
    const payment = { railId: nonce, mandateId: transfer.paymentId };
    if (found.state === 'lapsed') return { ...payment, state: 'canceled', capturedMinor: 0 };
    const holdUntil = Number(validBefore) * 1000 + GRACE_MS;
    if (found.state === 'open') return { ...payment, state: 'authorized', capturedMinor: 0, holdUntil };
    const { transaction: reference } = found;
    return { ...payment, state: 'captured', capturedMinor: transfer.amountMinor, holdUntil, reference };
  };
}

function endOf({ railId, state }: RailSnapshot): RailOutcome {
  if (state === 'canceled') return { kind: 'ok', railId, status: 'canceled' };
  if (state === 'captured') return declined('transfer_settled', 'The chain has settled the transfer.');
  return { kind: 'unknown', reason: 'The transfer can still be settled.' };
}

function declined(code: string, message: string): RailOutcome {
  return { kind: 'declined', code, message };
}
