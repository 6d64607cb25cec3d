/** Runs the store's contract on every engine. */
import { describe } from 'node:test';
import { engines } from '../support/engines.ts';
import { storeContract } from './store.contract.ts';

for (const engine of engines()) describe(`the store on ${engine.name}`, () => storeContract(engine));
