/** `countersign agent enroll-link`: the link by which a person enrolls a passkey. */
import type { Command } from 'commander';
import pc from 'picocolors';
import { renderUnicodeCompact } from 'uqr';
import { passkeyTrouble } from '../../presence/relyingParty.ts';
import { print } from '../output/print.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

export function addEnrollLink(agent: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(agent.command('enroll-link <did>'), 'admin')
    .description('Make a link, and its QR code, by which a person enrolls one passkey for an agent.')
    .option('--device <name>', 'a name for the passkey; the person may choose another')
    .option('--minutes <count>', 'how long the link works', '15')
    .action((agentDid: string, options: TargetOptions & { device?: string; minutes: string }) =>
      withTarget(env, options, async ({ client }) => {
        const link = await client.createEnrollment({
          agentDid,
          ttlSeconds: Math.round(Number(options.minutes) * 60),
          ...(options.device === undefined ? {} : { deviceName: options.device }),
        });
        print(options, link, describe(link));
      }),
    );
}

function describe(link: { readonly url: string; readonly expiresAt: string }): string {
  const trouble = passkeyTrouble(new URL(link.url).origin);
  return [
    renderUnicodeCompact(link.url, { border: 2 }),
    '',
    pc.bold(link.url),
    `Works once, until ${link.expiresAt}. Whoever opens it can approve purchases of this agent: treat it as a password.`,
    ...(trouble === undefined ? [] : ['', pc.yellow(trouble)]),
  ].join('\n');
}
