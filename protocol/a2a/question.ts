/** A data part that is answered at once with a message, and begins no task. */
import type { z } from 'zod';

export interface Question {
  /** The member of the data part that asks. */
  readonly name: string;
  /** The member that answers it. */
  readonly resultName: string;
  /** The operation that answers, by its name in the table. */
  readonly operation: string;
  /** The extension whose operation it is; absent for the kernel's. */
  readonly extension?: string;
  /**
   * The input of the operation.
   * @param prover the DID that the sender has proven, which it need not name again
   */
  schema(prover: string | undefined): z.ZodType<object>;
  /** @param result the operation's output @returns the answer in words, for a person */
  sentence(result: object): string;
}
