/** Server-sent events: however the network cuts the text, the events are the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventReader } from '../../console/node/eventStream.ts';

const TEXT =
  ': hello\n\nevent: change\nid: 7\ndata: {"types":["PAYMENT_CAPTURED"]}\n\n' +
  'data: one\r\ndata: two\r\n\r\n: beat\n\nevent: change\rid:8\rdata:x\r\r';
const EVENTS = [
  { event: 'change', data: '{"types":["PAYMENT_CAPTURED"]}', id: '7' },
  { event: 'message', data: 'one\ntwo' },
  { event: 'change', data: 'x', id: '8' },
];

test('events come whole, with their type and id, and comments are none', () => {
  // The end of a line may still become two characters: the next piece settles it.
  const read = eventReader();
  assert.deepEqual([...read(TEXT), ...read(': beat\n')], EVENTS);
});

test('the same text in any pieces gives the same events', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: TEXT.length })), (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), TEXT.length];
      const read = eventReader();
      const events = places.flatMap((place, index) => read(TEXT.slice(place, places[index + 1] ?? TEXT.length)));
      assert.deepEqual([...events, ...read(': beat\n')], EVENTS);
    }),
  );
});
