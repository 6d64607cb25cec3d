/** The settings that name witnesses of the evidence, and what can be wrong with them. */
import { z } from 'zod';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { readVerifierKey, WITNESS_KEY } from '../../../protocol/evidence/log/note.ts';
import { faultOfTarget } from '../../fetch/target.ts';

/**
 * With the node's own signature as many as every reader of signed notes has to take. A note may have those of witnesses that
 * were named before, too: withCosignatures leaves out the oldest, beyond what a note is read with.
 */
const MOST_WITNESSES = 15;

export const witnessVariables = {
  WITNESSES: z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim().replaceAll(/\s+/g, ' ')))
    .pipe(z.array(z.string()).max(MOST_WITNESSES, `must name at most ${MOST_WITNESSES} witnesses`))
    .superRefine((entries, context) => {
      const faults = entries.flatMap((entry) => faultOf(entry) ?? []);
      if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') });
    })
    .optional(),
  WITNESS_QUORUM: z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .optional(),
} as const;

interface Values {
  readonly WEBHOOK_ALLOW_PRIVATE: boolean;
  readonly WITNESSES?: readonly string[] | undefined;
  readonly WITNESS_QUORUM?: number | undefined;
}

/** What is wrong with an entry alone. */
function faultOf(entry: string): string | undefined {
  const [vkey = '', address, ...more] = entry.split(' ');
  if (address === undefined || more.length > 0) {
    return `${JSON.stringify(entry)} must be a verifier key and an address with a space between, as countersign witness prints it`;
  }
  const key = readVerifierKey(nobleSuite, vkey, WITNESS_KEY);
  if (typeof key === 'string') return `${vkey} ${key}`;
  if (!URL.canParse(address)) return `${address} must be an address such as https://witness.example`;
  const { search, hash } = new URL(address);
  return search === '' && hash === '' ? undefined : `${address} must have no query and no fragment`;
}

/** One line a fault, as far as it is about the settings together. */
export function witnessFaults(values: Values): string[] {
  const { WITNESSES: entries = [], WITNESS_QUORUM: quorum, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = values;
  const faults: string[] = [];
  for (const entry of entries) {
    const [vkey = '', address = ''] = entry.split(' ');
    const wrong = faultOfTarget(address, { allowPrivate });
    if (wrong !== undefined) faults.push(`WITNESSES=${vkey} ${address}: the address ${wrong}`);
  }
  // The same key under another name would count twice.
  const keys = entries.map((entry) => entry.split(' ')[0]?.split('+').slice(2).join('+'));
  const twice = entries.find((_, index) => keys.indexOf(keys[index]) !== index);
  if (twice !== undefined) faults.push(`WITNESSES=${twice}: has the key of another entry; name each witness once`);
  if (quorum === undefined) return faults;
  const name = `WITNESS_QUORUM=${JSON.stringify(String(quorum))}`;
  if (entries.length === 0) faults.push(`${name}: does nothing without WITNESSES; set it too`);
  else if (quorum > entries.length) faults.push(`${name}: must be at most the number of witnesses, ${entries.length}`);
  return faults;
}
