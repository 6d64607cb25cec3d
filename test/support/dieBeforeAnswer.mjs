/**
 * Loaded into a node before it starts (`NODE_OPTIONS=--import=…`): the node dies, as by kill -9, in place of the first byte of an answer
 * with the text of DIE_BEFORE. What the answer tells is committed by then, and its caller does not know it.
 */
import { ServerResponse } from 'node:http';

const text = process.env.DIE_BEFORE ?? '';
const { end } = ServerResponse.prototype;

ServerResponse.prototype.end = function (...parts) {
  if (text !== '' && String(parts[0]).includes(text)) process.kill(process.pid, 'SIGKILL');
  return end.apply(this, parts);
};
