/** What extensions add to what peers see, in the order in which it is read. */
import type { ExchangePart } from './a2a/exchangePart.ts';
import { mandateParts } from './ap2/exchangeParts.ts';
import { externalParts } from './external/externalParts.ts';

/** Data parts that begin a task. */
export const extensionParts: readonly ExchangePart[] = [
  ...mandateParts, // AP2 v0.1 and v0.2, Verifiable Intent.
  ...externalParts, // Payments that are made elsewhere.
];
