/** The wallets of a tenant: added, listed and removed by its owner. What is shown never has a key in it. */
import { z } from 'zod';
import { fromBase64url, toHex } from '../../../protocol/credential/encodings.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { checksumAddress } from '../../../protocol/x402/evmAddress.ts';
import type { TokenAsset } from '../../../protocol/x402/usdAssets.ts';
import { CreateWallet, ListWallets, Wallet } from '../../../protocol/x402/wallet.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { removal } from '../../domain/evidence/removal.ts';
import { govern } from '../../domain/principals/governance.ts';
import {
  deleteWallet,
  findWallet,
  insertWallet,
  isInstrumentNeeded,
  rpcContext,
  listWallets as selectWallets,
  type WalletRow,
  walletContext,
} from '../../store/statements/registry/wallets.ts';
import type { Deps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';
import { requireRpcUrl } from './rpcUrl.ts';

/** Tokens of its chain besides those that are known. */
export function assetsOf({ assets }: Pick<WalletRow, 'assets'>): TokenAsset[] {
  return JSON.parse(assets) as TokenAsset[];
}

function showWallet(row: WalletRow): Wallet {
  return compact({
    id: row.id,
    network: row.network,
    address: checksumAddress(row.address),
    agentDid: row.agent_did ?? undefined,
    principalDid: row.principal_did ?? undefined,
    rpcHost: row.rpc_host ?? undefined,
    assets: assetsOf(row).map(({ address, name, version, symbol, decimals, currency }) => ({
      asset: checksumAddress(address),
      name,
      version,
      symbol,
      decimals,
      currency,
    })),
    createdAt: isoTime(row.created_at),
  });
}

function walletFacts(row: WalletRow): Record<string, unknown> {
  const { createdAt: _, id, ...facts } = showWallet(row);
  return { walletId: id, ...facts };
}

/** @param signing the key of the wallet, and its address in lower case */
function draftOf(
  deps: Pick<Deps, 'newId' | 'sealer'>,
  tenantId: string,
  input: CreateWallet,
  signing: { readonly key: string; readonly address: string },
  now: number,
): WalletRow {
  const id = deps.newId('wal_');
  const assets = input.assets.map(
    ({ asset, symbol, ...facts }): TokenAsset => ({
      network: input.network,
      address: asset,
      symbol: symbol ?? facts.name,
      ...facts,
    }),
  );
  return {
    id,
    tenant_id: tenantId,
    network: input.network,
    address: signing.address,
    sealed_key: deps.sealer.seal(signing.key, walletContext(id)),
    rpc_url: null,
    sealed_rpc_url: input.rpcUrl === undefined ? null : deps.sealer.seal(input.rpcUrl, rpcContext(id)),
    rpc_host: input.rpcUrl === undefined ? null : new URL(input.rpcUrl).host,
    agent_did: input.agentDid ?? null,
    principal_did: input.principalDid ?? null,
    assets: JSON.stringify(assets),
    created_at: now,
  };
}

function newKey({ newToken }: Pick<Deps, 'newToken'>): string {
  return `0x${toHex(fromBase64url(newToken('')) as Uint8Array)}`;
}

export const createWallet = useCase({
  summary: 'Adds a wallet that pays on a chain: by a key that is given, or one that the node makes.',
  input: CreateWallet,
  output: Wallet,
  permission: 'admin',
  stepUp: true,
  faults: ['CONFLICT'],
  run: async (deps: Deps, call, input) => {
    const { privateKey = newKey(deps), rpcUrl } = input;
    if (rpcUrl !== undefined) requireRpcUrl(deps, rpcUrl);
    const { addressOfKey } = await import('./walletKey.ts');
    const key = privateKey.toLowerCase();
    const signing = { key, address: addressOfKey(key) };
    const add = inOneCommit<CreateWallet, Wallet>(function* (own, caller, asked, { now }) {
      const row = draftOf(own, caller.tenantId, asked, signing, now);
      if (!(yield* insertWallet(row))) throw new Fault('CONFLICT', 'There is a wallet of this address on this chain.');
      // A person vouches for whose money it is: no agent may name a principal for it that has not delegated to the agent.
      if (row.principal_did !== null) yield* govern(own, caller, row.principal_did, now);
      yield* recordAdminEvent(own, caller, 'WALLET_ADDED', walletFacts(row), now);
      return showWallet(row);
    });
    return add(deps, call, input);
  },
});

export const listWallets = listing({
  summary: 'Lists wallets, newest first.',
  input: ListWallets,
  item: Wallet,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectWallets(tenantId, before, limit),
  show: showWallet,
});

const ById = z.object({ id: z.string() });

export const getWallet = useCase({
  summary: 'Shows a wallet.',
  input: ById,
  output: Wallet,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof ById>, Wallet>(function* (_deps, { tenantId }, { id }) {
    const row = yield* findWallet(tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no wallet ${id}.`);
    return showWallet(row);
  }),
});

const removed = removal({
  summary: 'Removes a wallet and its key for good; what it holds must be moved, or its key be kept elsewhere, before.',
  noun: 'wallet',
  find: findWallet,
  *remove(tenantId, id) {
    if (yield* isInstrumentNeeded(tenantId, id)) {
      throw new Fault('CONFLICT', 'Payments of this wallet may still be settled; remove it once they have ended.');
    }
    return yield* deleteWallet(tenantId, id);
  },
  stepUp: true,
  eventType: 'WALLET_REMOVED',
  facts: walletFacts,
});

export const removeWallet: typeof removed = { ...removed, faults: ['NOT_FOUND', 'CONFLICT'] };
