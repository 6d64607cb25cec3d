/**
 * What a gate wraps around a use case inside its commit: the memory of requests that may come twice, and the
 * rendering of the answer. The use case knows neither gate.
 */
import type { Signed } from '../../../protocol/credential/canonical.ts';
import type { Script } from '../../store/store.ts';

export interface Envelope<Output, Wire> {
  /** The session this request belongs to. */
  readonly contextId?: string | undefined;
  /**
   * Runs first. Returns the stored answer of the very same request.
   * @throws Fault CONFLICT while that request is still in flight
   */
  open(now: number): Script<Wire | undefined>;
  /** Leaves a mark, for a use case that needs more than one commit, so that a crash can be made good. */
  mark(attemptKey: string, now: number): Script<void>;
  /** Takes the mark back when the use case ended in a fault, so that the request may be made again. */
  release(): Script<void>;
  /**
   * Runs last, in the commit that completes the use case: renders the answer and keeps it.
   * @param signed documents in the output whose text is known
   */
  close(output: Output, now: number, signed?: readonly Signed[]): Script<Wire>;
}

/** What a use case gives back to its gate: the answer as rendered, and what it was made of unless it was stored. */
export interface Answer<Output, Wire> {
  readonly wire: Wire;
  readonly output?: Output;
}

/** No memory, no rendering: for reads and for use cases that call one another. */
export function bare<Output>(): Envelope<Output, Output> {
  return {
    *open() {
      return undefined;
    },
    *mark() {},
    *release() {},
    *close(output) {
      return output;
    },
  };
}
