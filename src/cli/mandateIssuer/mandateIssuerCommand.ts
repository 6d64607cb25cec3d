/** `countersign mandate-issuer`: what its commands take. */
import type { Command } from 'commander';
import { memberOption } from '../input/operationOptions.ts';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareMandateIssuer(program: Command, env: NodeJS.ProcessEnv): void {
  const issuer = program
    .command('mandate-issuer')
    .description('Say whose signature begins a chain of AP2 mandates that is taken.');
  targetOptions(issuer.command('add <name>'), 'admin')
    .description('Trust a key, or the certificates below a root; give one of the two.')
    .addOption(memberOption('addMandateIssuer', 'kind').makeOptionMandatory())
    .option('--jwk <file>', 'its public key as a JSON Web Key (P-256)')
    .option('--principal <did>', 'whose credential it is, where that person or company is registered')
    .option('--x5c-root <file>', 'the certificate to which its own lead, as PEM')
    .option('--leaf <file>', 'the one certificate below it that is the person’s, as PEM')
    .option('--leaf-subject <name>', 'the same by its subject, such as "CN=Ada Lovelace,O=Bank"')
    .action(async (name, options) => (await import('./mandateIssuerActions.ts')).addMandateIssuer(env, name, options));
  targetOptions(issuer.command('list'), 'admin')
    .description('List those that are trusted, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./mandateIssuerActions.ts')).listMandateIssuers(env, options));
  targetOptions(issuer.command('remove <id>'), 'admin')
    .description('Trust one no more; chains that it begins are refused from then on.')
    .action(async (id, options) => (await import('./mandateIssuerActions.ts')).removeMandateIssuer(env, id, options));
}
