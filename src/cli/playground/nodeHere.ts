/** The sandbox that runs on this machine's data folder, which agents play at where no other node is named. */
import { existsSync } from 'node:fs';
import { fetchCard } from '../../../client/card.ts';
import { type Client, countersign } from '../../../client/index.ts';
import type { Config } from '../../node/config/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { folderClient } from '../target/folderClient.ts';

interface NodeHere {
  readonly address: string;
  /** With a key of its own, made in the data folder. */
  readonly owner: Client;
  /** Ends the key. */
  close(): Promise<void>;
}

/** @returns undefined where no node was started on the folder, and where none that listens is that one */
export async function nodeHere(config: Config): Promise<NodeHere | undefined> {
  if (!existsSync(config.issuerKeyFile)) return undefined;
  const address = `http://127.0.0.1:${config.port}`;
  const card = await fetchCard(address, { attempts: 1 }).catch(() => undefined);
  if (card === undefined) return undefined;
  const { deps, caller, close } = await openOffline(config);
  try {
    if (deps.issuer.did !== card.did) {
      await close();
      return undefined;
    }
    const folder = folderClient(deps, caller);
    const made = await folder.createApiKey({ name: 'playground', permissions: ['read', 'write', 'admin'] });
    return {
      address,
      owner: countersign({ baseUrl: address, credential: { apiKey: made.key } }),
      async close() {
        await folder.revokeApiKey({ id: made.id }).finally(close);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
