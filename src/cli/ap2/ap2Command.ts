/** `countersign ap2`: what its commands take. */
import type { Command } from 'commander';

export function declareAp2(program: Command): void {
  const ap2 = program.command('ap2').description('Look into mandates of other platforms.');
  ap2
    .command('verify')
    .description('Verify a chain of mandates hop by hop, without any node; exit code 1 where it does not hold.')
    .argument('<file>', 'the chain as text, or the JSON body of POST /ap2/mandates/verify; - for standard input')
    .option('--key <file>', 'the key that you trust to sign the first token, as JWK, or a JWK set that has it')
    .option('--aud <name>', 'who the last hop must be made for')
    .option('--nonce <nonce>', 'the nonce that it must have')
    .option('--checkout <file>', 'the checkout JWT that it must be for')
    .option('--checkout-hash <hash>', 'the hash of that checkout JWT')
    .option('--checkout-mandate <file>', 'the chain of checkout mandates beside a payment')
    .option('--open-checkout-hash <hash>', 'the sd_hash of the open checkout mandate')
    .option('--merchant-key <file>', 'the key of the merchant, as JWK, to verify what it signed')
    .option('--at <time>', 'when to verify it, in ISO 8601 or seconds since 1970; now when absent')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./verifyMandateFile.ts')).verifyMandateFile(file, options));
}
