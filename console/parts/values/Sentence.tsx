/** A sentence of the node's, whose moments are said as everywhere in the console. */
import { When } from './When.tsx';

/** RFC 3339, as the node writes moments. */
const MOMENT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/;

export function Sentence({ text }: { readonly text: string }) {
  // What the pattern holds stands between the rest, at every other place.
  const parts = text.split(MOMENT);
  return <bdi>{parts.map((part, index) => (index % 2 === 1 ? <When key={index} time={part} inLink /> : part))}</bdi>;
}
