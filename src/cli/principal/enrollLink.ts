/** `countersign agent enroll-link` and `principal enroll-link`: the link by which a person enrolls a passkey. */
import { renderUnicodeCompact } from 'uqr';
import { compact } from '../../../protocol/wire/compact.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import { agentCalled, principalCalled } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface LinkOptions extends TargetOptions {
  readonly device?: string;
  readonly minutes: number;
}

/** Whose purchases the passkey will approve, by DID or name. */
type Holder = { readonly agent: string } | { readonly principal: string };

export function makeEnrollLink(env: NodeJS.ProcessEnv, holder: Holder, options: LinkOptions): Promise<void> {
  const { device: deviceName, minutes } = options;
  return withTarget(env, options, async ({ client }) => {
    const named =
      'agent' in holder
        ? { agentDid: await agentCalled(client, holder.agent) }
        : { principalDid: await principalCalled(client, holder.principal) };
    const link = await client.createEnrollment({ ...named, ttlSeconds: minutes * 60, ...compact({ deviceName }) });
    print(
      options,
      link,
      describe(link, 'agent' in holder ? 'purchases of this agent' : 'purchases for this principal'),
    );
  });
}

function describe(link: { readonly url: string; readonly expiresAt: string }, purchases: string): string {
  const trouble = passkeyTrouble(new URL(link.url).origin);
  return [
    renderUnicodeCompact(link.url, { border: 2 }),
    '',
    colour.bold(link.url),
    `Works once, until ${link.expiresAt}. The person who opens it can approve ${purchases}: treat it as a password.`,
    ...(trouble === undefined ? [] : ['', colour.yellow(trouble)]),
  ].join('\n');
}
