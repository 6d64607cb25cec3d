/** How many threads the gate has where GATES does not say: one beside the core, where the machine has a core for it. Apart, since the command line asks before any setting is read. */
import { availableParallelism } from 'node:os';

export const DEFAULT_GATES = availableParallelism() > 1 ? 1 : 0;
