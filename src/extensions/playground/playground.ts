/** The playground's extension: agents that shop in a sandbox, from the command line and in the console. The node itself has no part of either. */
import { extension } from '../extension.ts';

export const playground = extension({ name: 'playground' });
