/** What `countersign request` does. */
import { createHash } from 'node:crypto';
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { readBytes } from '../input/files.ts';
import { print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Input = Operations['signHttpRequest']['input'];

interface SignOptions extends TargetOptions {
  readonly as?: Input['profile'];
  readonly form?: Input['signatureAgentForm'];
  readonly body?: string;
}

export function signRequest(
  env: NodeJS.ProcessEnv,
  request: { readonly purchase: string; readonly method: string; readonly url: string },
  { as: profile = 'web-bot-auth', form, body, ...options }: SignOptions,
): Promise<void> {
  const { purchase, url } = request;
  const digest = body === undefined ? undefined : createHash('sha256').update(readBytes(body)).digest('base64');
  return withTarget(env, options, async ({ client }) => {
    const signed = await client.signHttpRequest({
      ...(purchase.startsWith('pm_') ? { mandateId: purchase } : { intentId: purchase }),
      method: request.method.toUpperCase() as Input['method'],
      url,
      profile,
      ...compact({ signatureAgentForm: form, bodyDigest: digest === undefined ? undefined : `sha-256=:${digest}:` }),
    });
    // As `curl --header @-` reads them.
    const lines = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
    print(options, signed, lines.join('\n'));
  });
}
