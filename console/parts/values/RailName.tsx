/** A rail by its name in words, with the name that policies have for it beside. */
import { wordsOf } from './codeText.ts';

export function RailName({ rail }: { readonly rail: string }) {
  return <span title={rail}>{wordsOf(rail)}</span>;
}
