/** The witnesses of the evidence, as use cases are given them: who they are, how they are asked, and what they say. */
import type { NoteKey } from '../../../protocol/evidence/note.ts';

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
