/**
 * The core as another thread sees it, and what answers for it there. Long answers cross in pieces, each when it is asked
 * for, so that neither thread holds more than one.
 */
import { ByteStream } from '../usecase/byteStream.ts';
import type { TraceHeaders, Tracing } from '../usecase/tracing.ts';
import type { Core } from './core.ts';
import type { ThreadLink } from './link.ts';
import type { CoreReply, ReplyBody } from './serveRequest.ts';

/** In place of a long answer. */
interface Stream {
  readonly stream: number;
  readonly contentType: string;
  readonly fileName: string | undefined;
}

type Piece = string | Uint8Array;

/** The core at the other end of a link. @param tracing of this thread: what is asked belongs to its trace */
export function remoteCore(link: ThreadLink, tracing?: Tracing): Core {
  return {
    async call(name, ...given) {
      const result = await (tracing === undefined
        ? link.ask(name, ...given)
        : link.ask('traced', tracing.headers(), name, ...given));
      return (name === 'takeRequest' ? withPieces(link, result as CoreReply) : result) as never;
    },
  };
}

function withPieces(link: ThreadLink, reply: CoreReply): CoreReply {
  const body = reply.body as ReplyBody | Stream | undefined;
  if (body === undefined || typeof body === 'string' || !('stream' in body)) return reply;
  return { ...reply, body: new ByteStream(body.contentType, piecesOf(link, body.stream), body.fileName) };
}

function piecesOf(link: ThreadLink, stream: number): AsyncIterable<Piece> {
  const next = async (): Promise<IteratorResult<Piece>> => {
    const value = (await link.ask('nextPiece', stream)) as Piece | undefined;
    return value === undefined ? { done: true, value } : { done: false, value };
  };
  // A reader may go before the end, or before the first piece.
  const end = async (): Promise<IteratorResult<Piece>> => {
    await link.ask('dropPieces', stream);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

/** @param tracing of this thread @returns what answers a link that a `remoteCore` asks */
export function answersOf(
  core: Core,
  tracing?: Tracing,
): (name: string, given: readonly unknown[]) => Promise<unknown> {
  const streams = new Map<number, AsyncIterator<Piece>>();
  let lastStream = 0;

  async function nextPiece(stream: number): Promise<Piece | undefined> {
    const piece = await streams.get(stream)?.next();
    if (piece !== undefined && piece.done !== true) return piece.value;
    streams.delete(stream);
    return undefined;
  }

  async function dropPieces(stream: number): Promise<void> {
    const pieces = streams.get(stream);
    streams.delete(stream);
    await pieces?.return?.();
  }

  async function answer(name: string, given: readonly unknown[]): Promise<unknown> {
    if (name === 'nextPiece') return nextPiece(given[0] as number);
    if (name === 'dropPieces') return dropPieces(given[0] as number);
    const result: unknown = await core.call(name as never, ...(given as never));
    const long = name === 'takeRequest' ? (result as CoreReply).body : undefined;
    if (!(long instanceof ByteStream)) return result;
    lastStream += 1;
    const { contentType, fileName } = long;
    streams.set(lastStream, long.pieces[Symbol.asyncIterator]());
    return { ...(result as CoreReply), body: { stream: lastStream, contentType, fileName } };
  }

  return async (name, given) => {
    if (name !== 'traced') return answer(name, given);
    const [headers, asked, ...rest] = given as readonly [TraceHeaders, string, ...unknown[]];
    return tracing === undefined ? answer(asked, rest) : tracing.within(headers, () => answer(asked, rest));
  };
}
