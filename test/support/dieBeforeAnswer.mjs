/**
 * Loaded into a node before it starts (`NODE_OPTIONS=--import=…`): the node dies, as by kill -9, in place of the first byte of an answer
 * with the text of DIE_BEFORE. What the answer tells is committed by then, and its caller does not know it: only the file that
 * DIE_KEEPING names has it.
 */
import { writeFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';

const text = process.env.DIE_BEFORE ?? '';
const file = process.env.DIE_KEEPING ?? '';
const { end } = ServerResponse.prototype;

ServerResponse.prototype.end = function (...parts) {
  if (text !== '' && String(parts[0]).includes(text)) {
    if (file !== '') writeFileSync(file, parts[0]);
    process.kill(process.pid, 'SIGKILL');
  }
  return end.apply(this, parts);
};
