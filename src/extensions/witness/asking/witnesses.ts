/** The witnesses that the settings name: who they are, how many are to cosign, and how one is asked. */
import { nobleSuite } from '../../../../protocol/credential/ed25519.ts';
import { type NoteKey, readVerifierKey, WITNESS_KEY } from '../../../../protocol/evidence/log/note.ts';
import { safeClient } from '../../../fetch/safeClient.ts';
import type { CosignerDeps } from '../../../usecase/watch.ts';

export interface NamedWitness {
  readonly key: NoteKey;
  /** The key as others write it, by which rows name the witness. */
  readonly verifierKey: string;
  /** Where checkpoints are sent. */
  readonly url: string;
}

/** What a witness answered. */
export type WitnessAnswer =
  | { readonly status: number; readonly text: string }
  /** @property failure why there is no answer, as a phrase */
  | { readonly failure: string };

/** What is wrong between a chain and its witnesses, in sentences. */
export interface WitnessAlarm {
  /** One for each witness that contradicts the chain. */
  readonly refused: readonly string[];
  /** That fewer have cosigned than should have; undefined where enough have. */
  readonly missing: string | undefined;
}

export interface Witnesses {
  readonly named: readonly NamedWitness[];
  /** How many of them are to cosign each checkpoint. */
  readonly quorum: number;
  /** @param body of an add-checkpoint request */
  ask(url: string, body: string): Promise<WitnessAnswer>;
  /** What was found wrong when the node last looked, by tenant. */
  readonly alarms: Map<string, WitnessAlarm>;
}

/** What it takes to have a checkpoint cosigned. */
export type WitnessDeps = CosignerDeps & { readonly witnesses: Witnesses };

interface WitnessSettings {
  readonly WITNESSES?: readonly string[] | undefined;
  readonly WITNESS_QUORUM?: number | undefined;
}

/** @param settings that were found right */
export function namedWitnesses({
  WITNESSES = [],
  WITNESS_QUORUM,
}: WitnessSettings): Pick<Witnesses, 'named' | 'quorum'> {
  return { named: WITNESSES.map(witnessIn), quorum: WITNESS_QUORUM ?? WITNESSES.length };
}

function witnessIn(entry: string): NamedWitness {
  const [vkey = '', address = ''] = entry.split(' ');
  const key = readVerifierKey(nobleSuite, vkey, WITNESS_KEY);
  if (typeof key === 'string') throw new Error(`The witness ${vkey} ${key}.`);
  return { key, verifierKey: vkey, url: `${address.replace(/\/+$/, '')}/add-checkpoint` };
}

/** A cosignature of each kind there is, and lines of other witnesses behind it. */
const COSIGNATURES = { timeoutMs: 5000, maxAnswerBytes: 65_536 } as const;

/** @param allowPrivate as webhooks may, their addresses may lead to private networks */
export function askedWitnesses(settings: WitnessSettings, allowPrivate: boolean): Witnesses {
  const client = safeClient({ ...COSIGNATURES, allowPrivate });
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Countersign' };
  return {
    ...namedWitnesses(settings),
    alarms: new Map(),
    async ask(url, body) {
      const exchange = await client.exchange({ method: 'POST', url: new URL(url), headers, body });
      const { status, failure, overlong, answer } = exchange;
      if (failure !== undefined) return { failure: `it cannot be reached (${failure})` };
      return overlong ? { failure: 'its answer is too long' } : { status, text: answer.toString('utf8') };
    },
  };
}
