/** A rail by its name in words. */

import { wordsOf } from '../values/codeText.ts';

/** Of rails that are reached by a protocol, whose name people know. */
const NAMES: Readonly<Record<string, string>> = {
  SPT_RAIL: 'MPP by a shared payment token',
  X402_RAIL: 'x402 by a wallet',
  EXTERNAL_RAIL: 'elsewhere',
};

/** @param rail as policies name it, such as CARD_RAIL */
export function railText(rail: string): string {
  return NAMES[rail] ?? wordsOf(rail);
}
