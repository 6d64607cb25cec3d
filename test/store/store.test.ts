/** Runs the store's contract on every engine. */
import { engines } from '../support/engines.ts';
import { storeContract } from './store.contract.ts';

for (const engine of engines()) storeContract(engine);
