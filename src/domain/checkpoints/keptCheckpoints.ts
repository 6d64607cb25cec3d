/** Compares the checkpoints that are kept with the chain, as it is read from its first event on. */
import type { ChainedRecord } from '../../../protocol/evidence/chain.ts';
import { eventLeaf, openCheckpoint, originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree } from '../../../protocol/evidence/log/merkle.ts';
import { type CheckpointRow, listCheckpointsBetween } from '../../store/statements/evidence/checkpoints.ts';
import { type Deps, issuersOf } from '../../usecase/deps.ts';
import type { ChainBreak } from '../evidence/walkChain.ts';

export class CheckpointBook {
  readonly #deps: Deps;
  readonly #tenantId: string;
  readonly #tree: GrowingTree;

  constructor(deps: Deps, tenantId: string) {
    this.#deps = deps;
    this.#tenantId = tenantId;
    this.#tree = new GrowingTree(deps.suite);
  }

  /** @param events the next of the chain @returns the first of their checkpoints that the chain contradicts */
  async compare(events: readonly ChainedRecord[]): Promise<ChainBreak | undefined> {
    const size = this.#tree.size;
    const until = size + events.length;
    const kept = await this.#deps.store.readApart(() =>
      listCheckpointsBetween(this.#tenantId, size, until, events.length),
    );
    return this.#deps.data.longWork.piece(() => this.#grow(events, new Map(kept.map((row) => [row.size, row]))));
  }

  #grow(events: readonly ChainedRecord[], kept: ReadonlyMap<number, CheckpointRow>): ChainBreak | undefined {
    for (const { hashCurr } of events) {
      this.#tree.add(eventLeaf(this.#deps.suite, hashCurr));
      const row = kept.get(this.#tree.size);
      const reason = row === undefined ? undefined : this.#faultOf(row);
      if (reason !== undefined) return { brokenAtSeq: this.#tree.size, reason };
    }
    return undefined;
  }

  #faultOf({ size, note }: CheckpointRow): string | undefined {
    const { suite } = this.#deps;
    const opened = openCheckpoint(suite, note, issuersOf(this.#deps));
    if (!opened.ok) return `the checkpoint kept over ${size} events does not hold: ${opened.reason}`;
    const { checkpoint } = opened;
    const root = this.#tree.root();
    const same = checkpoint.size === size && checkpoint.root.every((byte, index) => byte === root[index]);
    if (same && checkpoint.origin === originOf(this.#tenantId)) return undefined;
    return `the first ${size} events are not those that the kept checkpoint is over`;
  }
}
