/** `countersign merchant`: what its commands take. */
import type { Command } from 'commander';
import { category, choice, limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareMerchant(program: Command, env: NodeJS.ProcessEnv): void {
  const merchant = program
    .command('merchant')
    .description('Say which keys sign the carts of which merchants, and who is paid.');
  targetOptions(merchant.command('bind <domain> [did]'), 'admin')
    .description('Bind a key to a merchant’s domain, whose carts are trusted from then on, or its names at rails.')
    .option('--jwk <file>', 'its public key as a JSON Web Key, in place of a DID')
    .option('--jwks-url <url>', 'where its JSON Web Keys are, in place of a DID')
    .addOption(category('--mcc <code>', 'its category (ISO 18245), which wins over what an agent says'))
    .option('--country <code>', 'where it is (ISO 3166-1), which wins over what an agent says')
    .option('--rail-account <id>', 'its account at the rail, to which its payments go')
    .option('--rail-profile <id>', 'its profile at the rail, to which shared payment tokens are made out')
    .option('--pay-to <account...>', 'its accounts on chains (CAIP-10), such as eip155:8453:0x…')
    .addOption(
      choice('--signature-agent <form>', 'how it reads Signature-Agent of signed requests', ['string', 'dictionary']),
    )
    .action(async (domain, did, options) =>
      (await import('./merchantActions.ts')).bindMerchant(env, { domain, did }, options),
    );
  targetOptions(merchant.command('list'), 'admin')
    .description('List bound keys, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./merchantActions.ts')).listMerchants(env, options));
  targetOptions(merchant.command('remove <id>'), 'admin')
    .description('Remove a bound key; carts that it signs are refused from then on.')
    .action(async (id, options) => (await import('./merchantActions.ts')).removeMerchant(env, id, options));
}
