/** `countersign agent enroll-link`: the link by which a person enrolls a passkey. */
import { renderUnicodeCompact } from 'uqr';
import { compact } from '../../../protocol/wire/compact.ts';
import { passkeyTrouble } from '../../presence/relyingParty.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface LinkOptions extends TargetOptions {
  readonly device?: string;
  readonly minutes: number;
}

export function makeEnrollLink(env: NodeJS.ProcessEnv, agentDid: string, options: LinkOptions): Promise<void> {
  const { device: deviceName, minutes } = options;
  return withTarget(env, options, async ({ client }) => {
    const link = await client.createEnrollment({ agentDid, ttlSeconds: minutes * 60, ...compact({ deviceName }) });
    print(options, link, describe(link));
  });
}

function describe(link: { readonly url: string; readonly expiresAt: string }): string {
  const trouble = passkeyTrouble(new URL(link.url).origin);
  return [
    renderUnicodeCompact(link.url, { border: 2 }),
    '',
    colour.bold(link.url),
    `Works once, until ${link.expiresAt}. Whoever opens it can approve purchases of this agent: treat it as a password.`,
    ...(trouble === undefined ? [] : ['', colour.yellow(trouble)]),
  ].join('\n');
}
