/** Reads a request's raw body up to a limit. It keeps the raw bytes, which signatures and hashes cover. */
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
    let complete = false;
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
      complete = true;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    const endedEarly = () => {
      if (!complete) reject(new Fault('BAD_REQUEST', 'The body ended before it was complete.'));
    };
    request.on('error', endedEarly);
    request.on('close', endedEarly);
  });
}

/** True for application/json, with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
