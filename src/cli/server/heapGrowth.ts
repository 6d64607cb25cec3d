/** How far the heap of a node grows before it is collected. */
import { setFlagsFromString } from 'node:v8';

const FLAG = '--heap-growing-percent';
/** What is in use is some 20 MiB, which V8 would let grow fourfold; collecting sooner takes about 2 % of an intent. */
const PERCENT = 50;

/**
 * Called once all is loaded: a program that V8 compiles under other flags than Node was built with has no use for Node's own
 * compiled code. V8 reads this one whenever it has collected.
 * @param nodeOptions what the owner gave Node, which may say otherwise
 */
export function boundHeapGrowth(nodeOptions: readonly string[]): void {
  if (nodeOptions.some((option) => option.startsWith(FLAG))) return;
  setFlagsFromString(`${FLAG}=${PERCENT}`);
}
