/** A text that is the same for every caller: its bytes and its entity tag are made once, and all answers share them. */
import type { Context } from 'koa';
import { tagged, tagOf } from './securityHeaders.ts';

export interface FixedText {
  readonly bytes: Buffer;
  readonly tag: string;
}

export function fixedText(text: string): FixedText {
  return { bytes: Buffer.from(text), tag: tagOf(text) };
}

/** Answers with the text, or 304 to a caller that has it. However many answers wait to be read, they hold these bytes alone. */
export function answerFixed(context: Context, { bytes, tag }: FixedText, type: string): void {
  if (tagged(context, tag)) return;
  context.type = type;
  context.body = bytes;
}
