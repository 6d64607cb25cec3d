/** Reading an export line by line, wherever its pieces end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportReader } from '../../../src/cli/evidence/exportReader.ts';

const EVENTS = ['plain', 'a "quote" and a brace }', 'a backslash \\', 'a line\nbreak', '{"end":'].map((text, index) =>
  JSON.stringify({ id: `evt_${index}`, data: { text } }),
);
const END = { chainValid: true, fromSeq: 1, toSeq: 5, issuer: 'did:key:x', tenantId: 'tnt_x', checkpoint: null };
const TEXT = [...EVENTS, JSON.stringify({ end: END }), ''].join('\n');

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(text: string, size = 10): Promise<{ events: string[]; reader: ExportReader }> {
  const reader = new ExportReader(pieces(text, size));
  const events: string[] = [];
  for await (const event of reader.events()) events.push(event);
  return { events, reader };
}

test('events and the closing facts are read whatever the size of the pieces', async () => {
  for (const size of [1, 2, 3, 7, TEXT.length]) {
    const { events, reader } = await read(TEXT, size);
    assert.deepEqual(events, EVENTS);
    assert.deepEqual(reader.end, END);
  }
  const empty = await read(JSON.stringify({ end: { ...END, fromSeq: 0, toSeq: 0 } }));
  assert.deepEqual(empty.events, []);
});

test('an export that is cut short, goes on after its end or ends in something else is refused', async () => {
  await assert.rejects(read(TEXT.slice(0, 60)), /cut short/);
  await assert.rejects(read(EVENTS.join('\n')), /cut short/);
  await assert.rejects(read(''), /cut short/);
  await assert.rejects(read(`${TEXT}${EVENTS[0]}\n`), /goes on/);
  await assert.rejects(read('{"end":{"chainValid":"yes"}}'), /last line of the export is malformed/);
  assert.throws(() => new ExportReader(pieces(TEXT, 10)).end, /not read to its end/);
});
