/**
 * Reads the raw bodies of requests, which signatures and hashes cover, each up to a limit. All that are arriving at a time
 * may hold so many bytes: when more come, the one that has been arriving for longest is refused, since half-sent bodies
 * stay and whole ones are through in no time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '../../protocol/wire/fault.ts';

export const MAX_BODY_BYTES = 256 * 1024;
/** What a chunk costs beside its bytes: a caller that sends single bytes would hold many times what it sends. */
const CHUNK_COST = 256;

export interface Bodies {
  /**
   * @param response is told to close the connection when the body is refused in favour of others
   * @param mostBytes fewer than `MAX_BODY_BYTES`, where the caller is not known
   * @throws Fault PAYLOAD_TOO_LARGE as soon as the limit is passed, BAD_REQUEST when the body ends early, UNAVAILABLE
   */
  read(request: IncomingMessage, response: ServerResponse, mostBytes?: number): Promise<Buffer>;
}

/** A body of which a part is there. */
interface IncomingBody {
  held: number;
  giveWay(): void;
}

/** @param mostBytes that bodies which are arriving may hold together */
export function bodyReader(mostBytes: number): Bodies {
  /** The one that began first comes first. */
  const arriving = new Set<IncomingBody>();
  let held = 0;

  function hold(body: IncomingBody, bytes: number): void {
    arriving.add(body);
    body.held += bytes;
    held += bytes;
    for (const oldest of arriving) {
      if (held <= mostBytes) return;
      oldest.giveWay();
    }
  }

  function release(body: IncomingBody): void {
    if (arriving.delete(body)) held -= body.held;
  }

  return {
    read(request, response, mostBytes = MAX_BODY_BYTES) {
      if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.reject(tooLarge(mostBytes));
      return new Promise((resolve, reject) => {
        let chunks: Buffer[] = [];
        let size = 0;
        const refuse = (fault: Fault) => {
          release(body);
          chunks = [];
          request.removeAllListeners('data');
          request.resume();
          reject(fault);
        };
        const body: IncomingBody = { held: 0, giveWay: () => refuse(tooMany(response)) };
        request.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > mostBytes) return refuse(tooLarge(mostBytes));
          chunks.push(chunk);
          hold(body, chunk.length + CHUNK_COST);
        });
        let isComplete = false;
        request.on('end', () => {
          isComplete = true;
          release(body);
          resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
        });
        const endedEarly = () => {
          // Each request is closed in the end; an error takes its time to make.
          if (isComplete) return;
          release(body);
          reject(new Fault('BAD_REQUEST', 'The body ended before it was complete.'));
        };
        request.on('error', endedEarly);
        request.on('close', endedEarly);
      });
    },
  };
}

function tooLarge(mostBytes: number): Fault {
  return new Fault('PAYLOAD_TOO_LARGE', `The body must be at most ${mostBytes} bytes.`);
}

function tooMany(response: ServerResponse): Fault {
  if (!response.headersSent) response.setHeader('Connection', 'close').setHeader('Retry-After', '1');
  return new Fault(
    'UNAVAILABLE',
    'Too many bodies are arriving at this node, and this one took longest; send it again.',
  );
}

/** True for application/json, with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
