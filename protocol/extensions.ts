/** What extensions add to what peers see, in the order in which it is read. */
import { mandateParts } from './ap2/exchangeParts.ts';

/** Data parts that begin a task. */
export const extensionParts = [...mandateParts] as const;
