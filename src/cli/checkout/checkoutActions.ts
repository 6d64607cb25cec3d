/** What `countersign checkout` does with checkouts of UCP, and with sessions of ACP. */
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';
import { facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { inputOf } from '../target/listRecords.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ValidateOptions extends TargetOptions {
  readonly intent: string;
  readonly merchant: string;
  readonly jwt?: string;
}

type Input = Operations['validateUcpCheckout']['input'];
type Output = Operations['validateUcpCheckout']['output'];

export function validateCheckout(env: NodeJS.ProcessEnv, file: string, options: ValidateOptions): Promise<void> {
  const { intent: intentId, merchant: merchantDomain, jwt } = options;
  const checkout = readJsonFile(file) as Input['checkout'];
  const checkoutJwt = jwt === undefined ? undefined : readTextFile(jwt).trim();
  return withTarget(env, options, async ({ client }) => {
    const result = await client.validateUcpCheckout({
      intentId,
      merchantDomain,
      checkout,
      ...compact({ checkoutJwt }),
    });
    print(options, result, describe(result));
    if (!result.allowed) process.exitCode = 1;
  });
}

/** What it prints is a secret as the token is: it goes to the shop alone. */
export function validateAcpSession(env: NodeJS.ProcessEnv, file: string, options: TargetOptions): Promise<void> {
  const session = readJsonFile(file) as Operations['validateAcpSession']['input']['session'];
  return withTarget(env, options, async ({ client }) => {
    const asked = await inputOf(client, 'validateAcpSession', options);
    const result = await client.validateAcpSession({ ...asked, session });
    const refusal = result.allowed ? undefined : describeRefusal(result);
    print(options, result, refusal ?? JSON.stringify('send' in result ? result.send.body : {}));
    if (!result.allowed) process.exitCode = 1;
  });
}

function describe(result: Output): string {
  if (!result.allowed) return describeRefusal(result);
  return facts({
    Token: result.approvalToken,
    Until: localTime(result.approvalTokenExpiresAt),
    Rail: result.railDecision.rail,
    Cart: result.cartHash,
  });
}

type Refusal = Extract<Output, { readonly allowed: false }>;

function describeRefusal({
  reasonCodes,
  details,
  approval,
}: Pick<Refusal, 'approval' | 'details' | 'reasonCodes'>): string {
  const reasons = reasonCodes.map((code) => `${code}  ${details[code]?.message ?? ''}`.trimEnd());
  const link = approval === undefined ? [] : [`A person decides at ${approval.url}`];
  return [...reasons, ...link].join('\n');
}
