/** What `countersign checkout` does with checkouts of UCP. */
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';
import { facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
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

function describe(result: Output): string {
  if (!result.allowed) {
    const reasons = result.reasonCodes.map((code) => `${code}  ${result.details[code]?.message ?? ''}`.trimEnd());
    const approval = result.approval === undefined ? [] : [`A person decides at ${result.approval.url}`];
    return [...reasons, ...approval].join('\n');
  }
  return facts({
    Token: result.approvalToken,
    Until: localTime(result.approvalTokenExpiresAt),
    Rail: result.railDecision.rail,
    Cart: result.cartHash,
  });
}
