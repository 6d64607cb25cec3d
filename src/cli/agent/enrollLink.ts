/** `countersign agent enroll-link`: the link by which a person enrolls a passkey. */
import type { Command } from 'commander';
import pc from 'picocolors';
import { renderUnicodeCompact } from 'uqr';
import { CreateEnrollment, type Enrollment } from '../../../protocol/passkey.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { call } from '../../handlers/core/useCase.ts';
import { createEnrollment } from '../../handlers/passkeys/createEnrollment.ts';
import { passkeyTrouble } from '../../presence/relyingParty.ts';
import { print, reach, type Where, whereOptions } from '../target/reach.ts';

export function addEnrollLink(agent: Command, env: NodeJS.ProcessEnv): void {
  whereOptions(agent.command('enroll-link <did>'), 'admin')
    .description('Make a link, and its QR code, by which a person enrolls one passkey for an agent.')
    .option('--device <name>', 'a name for the passkey; the person may choose another')
    .option('--minutes <count>', 'how long the link works', '15')
    .action(async (did: string, options: Where & { device?: string; minutes: string }) => {
      const input = parseInput(CreateEnrollment, {
        agentDid: did,
        ttlSeconds: Math.round(Number(options.minutes) * 60),
        ...(options.device === undefined ? {} : { deviceName: options.device }),
      });
      const link = await reach<Enrollment>(env, options, {
        node: async (ask) => (await ask('POST', '/ap2/admin/enrollments', input)) as Enrollment,
        folder: (deps, caller) => call(createEnrollment.run, deps, caller, input),
      });
      print(options, link, describe(link));
    });
}

function describe(link: Enrollment): string {
  const trouble = passkeyTrouble(new URL(link.url).origin);
  return [
    renderUnicodeCompact(link.url, { border: 2 }),
    '',
    pc.bold(link.url),
    `Works once, until ${link.expiresAt}. Whoever opens it can approve purchases of this agent: treat it as a password.`,
    ...(trouble === undefined ? [] : ['', pc.yellow(trouble)]),
  ].join('\n');
}
