/** `countersign agent keygen`: an agent's key, made here; no node hears of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { agentOf, makeAgent } from '../../../client/identity.ts';
import { SEED_BYTES } from '../../../protocol/credential/ed25519.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { WrongUse } from '../exit.ts';
import { facts } from '../output/layout.ts';
import { print } from '../output/print.ts';

export function addKeygen(agent: Command): void {
  agent
    .command('keygen')
    .description('Make an Ed25519 key for an agent. The seed is the secret; the node only gets the public key.')
    .option('--out <file>', 'keep the 32 bytes of the seed in a new file, readable by you alone')
    .option('--json', 'answer in JSON')
    .action((options: { out?: string; json?: boolean }) => {
      const { did, publicKey, seed } = makeAgent(nativeSuite());
      if (options.out !== undefined) keep(options.out, seed);
      const where = options.out === undefined ? { seed: Buffer.from(seed).toString('hex') } : { seedFile: options.out };
      const made = { did, publicKey, ...where };
      print(options, made, `${facts(made)}\nRegister it: countersign agent add --name "…" --public-key ${publicKey}`);
    });
}

/** The public key that belongs to a seed kept in a file. @throws WrongUse for a file that is no seed */
export function publicKeyIn(file: string): string {
  const seed = read(file);
  if (seed.length !== SEED_BYTES)
    throw new WrongUse(`${file} is no seed: it has ${seed.length} bytes, not ${SEED_BYTES}.`);
  return agentOf(seed, nativeSuite()).publicKey;
}

function keep(file: string, seed: Uint8Array): void {
  try {
    writeFileSync(file, seed, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new WrongUse(exists ? `${file} exists; a key is never overwritten.` : `${file} cannot be written.`);
  }
}

function read(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    throw new WrongUse(`${file} cannot be read.`);
  }
}
