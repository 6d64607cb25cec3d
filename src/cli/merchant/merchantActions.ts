/** What `countersign merchant` does with the merchant registry of a node. */
import type { Merchant, Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile } from '../input/files.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

interface BindOptions extends TargetOptions {
  readonly mcc?: string;
  readonly country?: string;
  readonly railAccount?: string;
  readonly railProfile?: string;
  readonly payTo?: string[];
  readonly jwk?: string;
  readonly jwksUrl?: string;
  readonly signatureAgent?: NonNullable<Merchant['signatureAgentForm']>;
}

export function bindMerchant(
  env: Env,
  key: { readonly domain: string; readonly did: string | undefined },
  options: BindOptions,
): Promise<void> {
  const { mcc, country, railAccount: railAccountId, railProfile: railProfileId, payTo, jwk: file, jwksUrl } = options;
  const { signatureAgent: signatureAgentForm } = options;
  const keys = [key.did, file, jwksUrl].filter((each) => each !== undefined).length;
  const others = [railProfileId, payTo, signatureAgentForm].filter((each) => each !== undefined).length;
  if (keys > 1 || keys + others === 0) {
    throw new WrongUse(
      'Give one of the three: a DID, --jwk with a file, or --jwks-url with an address; or only --rail-profile, --pay-to or --signature-agent.',
    );
  }
  const jwk = file === undefined ? undefined : (readJsonFile(file) as Operations['bindMerchant']['input']['jwk']);
  return withTarget(env, options, async ({ client }) => {
    const facts = compact({ mcc, country, railAccountId, railProfileId, payTo, jwk, jwksUrl, signatureAgentForm });
    const merchant = await client.bindMerchant({ ...compact(key), ...facts });
    print(options, merchant, describe(merchant));
  });
}

export function listMerchants(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const merchants = await newest(options.limit, (page) => client.listMerchants(page));
    const rows = merchants.map((merchant) => [
      merchant.id,
      merchant.domain,
      merchant.mcc ?? '',
      merchant.country ?? '',
      localTime(merchant.createdAt),
      merchant.did ?? merchant.jwksUrl ?? (merchant.jwk && keyInWords(merchant.jwk)) ?? payeesInWords(merchant),
    ]);
    print(options, merchants, columns(['MERCHANT', 'DOMAIN', 'MCC', 'COUNTRY', 'SINCE', 'KEY OR PAYEE'], rows));
  });
}

export function removeMerchant(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeMerchant({ id });
    print(options, { id, removed: true }, `${id} is removed.`);
  });
}

/** A JSON Web Key by its kind and id. */
function keyInWords({ kty, kid }: NonNullable<Merchant['jwk']> = { kty: '' }): string {
  return typeof kid === 'string' ? `${kty} ${kid}` : kty;
}

function payeesInWords({ railProfileId, payTo = [] }: Merchant): string {
  return [...(railProfileId === undefined ? [] : [railProfileId]), ...payTo].join(', ');
}

/** One bound merchant, a member a line. */
function describe(merchant: Merchant): string {
  return facts({
    Merchant: merchant.id,
    Domain: merchant.domain,
    DID: merchant.did,
    Key: merchant.jwk === undefined ? undefined : keyInWords(merchant.jwk),
    Keys: merchant.jwksUrl,
    Category: merchant.mcc,
    Country: merchant.country,
    Account: merchant.railAccountId,
    Profile: merchant.railProfileId,
    'Signature-Agent': merchant.signatureAgentForm,
    'Paid to': merchant.payTo?.join(', '),
    Since: localTime(merchant.createdAt),
  });
}
