/**
 * Seals the addresses where chains are asked that an earlier version had kept as they were given: a provider's key may be in them. Pages of
 * SQLite's file that are not used any more may still hold one, and so do backups of before.
 */
import { listPlainRpcUrls, rpcContext, sealRpcUrl } from '../../store/statements/registry/wallets.ts';
import type { Kernel } from '../../usecase/deps.ts';

export async function sealPlainUrls({ store, sealer }: Pick<Kernel, 'sealer' | 'store'>): Promise<void> {
  for (const { id, tenant_id: tenantId, rpc_url: url } of await store.read(() => listPlainRpcUrls())) {
    const sealed = { id, sealed_rpc_url: sealer.seal(url, rpcContext(id)), rpc_host: new URL(url).host };
    await store.write(tenantId, () => sealRpcUrl(sealed));
  }
}
