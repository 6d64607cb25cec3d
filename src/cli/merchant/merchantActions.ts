/** What `countersign merchant` does with the merchant registry of a node. */
import type { Merchant } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

interface BindOptions extends TargetOptions {
  readonly mcc?: string;
  readonly country?: string;
  readonly railAccount?: string;
  readonly railProfile?: string;
}

export function bindMerchant(
  env: Env,
  key: { readonly domain: string; readonly did: string },
  options: BindOptions,
): Promise<void> {
  const { mcc, country, railAccount: railAccountId, railProfile: railProfileId } = options;
  return withTarget(env, options, async ({ client }) => {
    const merchant = await client.bindMerchant({ ...key, ...compact({ mcc, country, railAccountId, railProfileId }) });
    print(options, merchant, describe(merchant));
  });
}

export function listMerchants(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const merchants = await newest(options.limit, (page) => client.listMerchants(page));
    const rows = merchants.map(({ id, domain, mcc, country, createdAt, did }) => [
      id,
      domain,
      mcc ?? '',
      country ?? '',
      localTime(createdAt),
      did,
    ]);
    print(options, merchants, columns(['MERCHANT', 'DOMAIN', 'MCC', 'COUNTRY', 'SINCE', 'DID'], rows));
  });
}

export function removeMerchant(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeMerchant({ id });
    print(options, { id, removed: true }, `${id} is removed.`);
  });
}

/** One bound key, a member a line. */
function describe(merchant: Merchant): string {
  return facts({
    Merchant: merchant.id,
    Domain: merchant.domain,
    DID: merchant.did,
    Category: merchant.mcc,
    Country: merchant.country,
    Account: merchant.railAccountId,
    Profile: merchant.railProfileId,
    Since: localTime(merchant.createdAt),
  });
}
