/** Server-sent events out of pieces of text (HTML, section 9.2.6): as much of it as a node sends. */

interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** @returns takes the next piece and gives the events that it completes */
export function eventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = '';
  return (piece) => {
    // A piece may end within the two characters of one line end.
    const text = rest + piece;
    const held = text.endsWith('\r') ? '\r' : '';
    const blocks = (held === '' ? text : text.slice(0, -1)).replace(/\r\n?/g, '\n').split('\n\n');
    rest = (blocks.pop() ?? '') + held;
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
}

/** Comments, which keep a connection alive, are no events. */
function eventOf(block: string): StreamEvent | undefined {
  const lines = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []);
  const valuesOf = (field: string) => lines.filter(([, name]) => name === field).map(([, , value]) => value ?? '');
  const data = valuesOf('data');
  if (data.length === 0) return undefined;
  const id = valuesOf('id').at(-1);
  return { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n'), ...(id === undefined ? {} : { id }) };
}
