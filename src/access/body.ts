/** Reads a request's raw body up to a limit. The raw bytes are kept: signatures and hashes are over them. */
import type { IncomingMessage } from 'node:http';
import { Fault } from '../../protocol/wire/fault.ts';

export const MAX_BODY_BYTES = 256 * 1024;

/** @throws Fault PAYLOAD_TOO_LARGE as soon as the limit is passed, BAD_REQUEST when the body ends early */
export async function readBody(request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): Promise<Buffer> {
  const tooLarge = () => new Fault('PAYLOAD_TOO_LARGE', `The body must be at most ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let whole = false;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      whole = true;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    const cutShort = () => {
      if (!whole) reject(new Fault('BAD_REQUEST', 'The body ended before it was complete.'));
    };
    request.on('error', cutShort);
    request.on('close', cutShort);
  });
}

/** True for application/json, with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
