/** The events of a JSON export, one by one as they come, so that an export of any length takes little memory. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';

/** @param pieces of an export's text, cut anywhere @throws Error for a text that ends before its list does */
export async function* eventsIn(pieces: AsyncIterable<string>): AsyncGenerator<EvidenceEvent> {
  const cutter = new ElementCutter();
  for await (const piece of pieces) {
    for (const element of cutter.cut(piece)) yield JSON.parse(element) as EvidenceEvent;
  }
  if (!cutter.ended) throw new Error('The export ended before its list of events did.');
}

/** Cuts `{"events":[{…},{…}],…}` into the texts of the list's objects. */
class ElementCutter {
  ended = false;
  #kept = '';
  #scanned = 0;
  #start = -1;
  #depth = 0;
  #inText = false;

  *cut(piece: string): Generator<string> {
    if (this.ended) return;
    this.#kept += piece;
    const text = this.#kept;
    let at = this.#scanned;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inText) {
        if (code === BACKSLASH) at += 1;
        else if (code === QUOTE) this.#inText = false;
      } else if (code === QUOTE) this.#inText = true;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        // Depth 2 is the list itself: the object around it is 1.
        if (this.#depth === 2) this.#start = at;
        this.#depth += 1;
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        this.#depth -= 1;
        if (this.#depth === 2) yield text.slice(this.#start, at + 1);
        if (this.#depth === 1) {
          this.ended = true;
          return;
        }
        if (this.#depth === 2) this.#start = -1;
      }
    }
    const from = this.#start === -1 ? at : this.#start;
    this.#kept = text.slice(from);
    this.#scanned = at - from;
    if (this.#start !== -1) this.#start = 0;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
