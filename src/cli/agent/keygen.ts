/** An agent's key, made on this machine: the node learns only the public key. */
import { agentOf, makeAgent } from '../../../client/identity.ts';
import { SEED_BYTES } from '../../../protocol/credential/ed25519.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { WrongUse } from '../commandFailure.ts';
import { readBytes, writePrivateFile } from '../input/files.ts';
import { facts } from '../output/layout.ts';
import { print } from '../output/print.ts';

/** `countersign agent keygen`. A file that exists is a key perhaps, and never overwritten. */
export function makeKey(options: { readonly out?: string; readonly json?: boolean }): void {
  const { did, publicKey, seed } = makeAgent(nativeSuite());
  if (options.out !== undefined) writePrivateFile(options.out, seed, 'wx');
  const where = options.out === undefined ? { seed: Buffer.from(seed).toString('hex') } : { seedFile: options.out };
  const made = { did, publicKey, ...where };
  print(options, made, `${facts(made)}\nRegister it: countersign agent add --name "…" --public-key ${publicKey}`);
}

/** The public key that belongs to a seed kept in a file. @throws WrongUse for a file that holds no seed */
export function publicKeyIn(file: string): string {
  const seed = readBytes(file);
  if (seed.length !== SEED_BYTES) {
    throw new WrongUse(
      `${file} has ${seed.length} bytes and a seed ${SEED_BYTES}; give the file of agent keygen --out.`,
    );
  }
  return agentOf(seed, nativeSuite()).publicKey;
}
