/** What texts are made of: the operations of a node with every extension. */
import { loadApi } from '../../src/extensions/nodeOperations.ts';

export const api = await loadApi();
