/** Where `countersign key` finds keys: at a running node over REST, or in the data folder. */

import { type Page, PageRequest } from '../../../protocol/wire/page.ts';
import {
  type ApiKey,
  CreateApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '../../handlers/access/manageApiKeys.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { call } from '../../handlers/core/useCase.ts';
import { readConfig } from '../../node/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { askNode } from '../target/reach.ts';

export interface KeyStore {
  create(input: { name: string; permissions: string[]; tier: string }): Promise<NewApiKey>;
  list(): Promise<ApiKey[]>;
  revoke(id: string): Promise<void>;
  close(): Promise<void>;
}

/** @param url of the node, @param key with the permission admin */
export function keysOfNode(url: string, key: string): KeyStore {
  const path = '/ap2/admin/api-keys';
  const node = askNode(url, key);
  const ask = (method: string, suffix = '', body?: unknown) => node(method, path + suffix, body);
  return {
    create: async (input) => (await ask('POST', '', input)) as NewApiKey,
    list: () => everyPage(async (query) => (await ask('GET', query)) as Page<ApiKey>),
    revoke: async (id) => void (await ask('DELETE', `/${encodeURIComponent(id)}`)),
    close: async () => {},
  };
}

export async function keysOfFolder(env: NodeJS.ProcessEnv): Promise<KeyStore> {
  const { deps, caller, close } = await openOffline(readConfig(env));
  return {
    create: (input) => call(createApiKey.run, deps, caller, parseInput(CreateApiKey, input)),
    list: () =>
      everyPage((query) => {
        const input = parseInput(PageRequest, Object.fromEntries(new URLSearchParams(query)));
        return call(listApiKeys.run, deps, caller, input);
      }),
    revoke: async (id) => void (await call(revokeApiKey.run, deps, caller, { id })),
    close,
  };
}

async function everyPage(ask: (query: string) => Promise<Page<ApiKey>>): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let query = '?limit=200';
  for (;;) {
    const page = await ask(query);
    keys.push(...page.data);
    if (page.cursor === null) return keys;
    query = `?limit=200&cursor=${encodeURIComponent(page.cursor)}`;
  }
}
