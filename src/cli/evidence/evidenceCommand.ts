/** `countersign evidence`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { choice, count, limit, list, repeated } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareEvidence(program: Command, env: NodeJS.ProcessEnv): void {
  const evidence = program.command('evidence').description('Show, export and verify what was recorded.');
  targetOptions(evidence.command('bundle <transaction>'), 'read')
    .description('Show one transaction’s evidence; exit code 1 where its chain does not hold.')
    .option('--portable', 'as one signed file, which evidence verify checks anywhere')
    .option('--out <file>', 'put the portable bundle into a file')
    .action(async (id, options) => (await import('./readEvidence.ts')).showBundle(env, id, options));
  operationOptions(targetOptions(evidence.command('search'), 'read'), 'searchEvidence')
    .description('Search events, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./readEvidence.ts')).searchEvidence(env, options));
  operationOptions(targetOptions(evidence.command('export'), 'read'), 'exportEvidence')
    .description('Export events, oldest first; exit code 1 where the chain does not hold over them.')
    .addOption(choice('--format <format>', 'the form of the file', ['json', 'ndjson', 'csv']).default('json'))
    .addOption(list('--types <list>', 'only these event types'))
    .option('--out <file>', 'into a file instead of standard output')
    .action(async (options) => (await import('./exportToFile.ts')).exportToFile(env, options));
  targetOptions(evidence.command('log'), 'admin')
    .description('Print what a witness is told of this chain: its origin, and the key that signs its checkpoints.')
    .action(async (options) => (await import('./showLog.ts')).showLog(env, options));
  evidence
    .command('verify')
    .description('Verify a portable bundle, or an export of the whole chain, without any node.')
    .argument('<file>', 'a portable bundle, or an export')
    .requiredOption('--issuer <did>', 'the DID of the node that keeps the evidence, as you know it')
    .option('--checkpoint <file>', 'a signed checkpoint you kept: shows whether the chain was cut or rewritten since')
    .option('--consistency <file>', 'the proof between that checkpoint and the one in the bundle, whichever is older')
    .addOption(repeated('--witness <key>', 'a witness that must have cosigned, by the verifier key that it prints'))
    .addOption(count('--witness-quorum <count>', 'how many of these witnesses are enough; all unless given'))
    .option('--allow-unsigned', 'take a bundle with parts that the issuer did not sign, as a sandbox makes it')
    .option('--origin <address>', 'the address of the node as you know it; the touch must be made there')
    .option('--accept-stated', 'take a bundle whose approval the node states, and no passkey’s signature shows')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./verifyFile.ts')).verifyFile(file, options));
}
