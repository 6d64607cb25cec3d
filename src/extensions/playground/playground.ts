/** The playground's extension: agents that shop in a sandbox, from the command line and in the console. Neither has anything in the node. */
import { extension } from '../extension.ts';

export const playground = extension({ name: 'playground' });
