/** A rail by its name in words, with the name that policies have for it beside. */
import { wordsOf } from './codeText.ts';

/** Of rails that are reached by a protocol, whose name people know. */
const NAMES: Readonly<Record<string, string>> = {
  SPT_RAIL: 'MPP, by a shared payment token',
  X402_RAIL: 'x402, by a wallet',
  EXTERNAL_RAIL: 'elsewhere',
};

export function RailName({ rail }: { readonly rail: string }) {
  return <span title={rail}>{NAMES[rail] ?? wordsOf(rail)}</span>;
}
