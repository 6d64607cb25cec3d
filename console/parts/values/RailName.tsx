/** A rail by its name in words, with the name that policies have for it beside. */
import { railText } from '../rules/railText.ts';

export function RailName({ rail }: { readonly rail: string }) {
  return <span title={rail}>{railText(rail)}</span>;
}
