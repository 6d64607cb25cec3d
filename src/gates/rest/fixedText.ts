/** A text that is the same for every caller: its bytes and its entity tag are made once, and all answers share them. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { tagOf } from '../../usecase/entityTag.ts';
import { tagged } from './respond.ts';

export interface FixedText {
  readonly bytes: Buffer;
  readonly tag: string;
}

export function fixedText(text: string): FixedText {
  return { bytes: Buffer.from(text), tag: tagOf(text) };
}

/** A longer text is sent in such pieces, each once the one before is on its way. */
const PIECE_BYTES = 256 * 1024;

/** Answers with the text, or 304 to a caller that has it. However many answers wait to be read, they hold these bytes alone. */
export function answerFixed(context: Context, { bytes, tag }: FixedText, type: string): void {
  if (tagged(context, tag)) return;
  context.type = type;
  context.body = bytes.length > PIECE_BYTES ? Readable.from(piecesOf(bytes), { objectMode: false }) : bytes;
  context.length = bytes.length;
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
