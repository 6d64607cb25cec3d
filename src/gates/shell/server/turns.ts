/**
 * The turns of the requests that a connection sends before it has had its answers (RFC 9112 section 9.3.2). One read brings
 * thousands of them, and all their answers would be made before the first is sent; so a few are under way at a time, a few more
 * wait, and a connection that sends still more is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that are being answered, or whose answers are not sent yet. */
const MOST_UNDER_WAY = 8;
/** A connection that has left so many bytes unread has no further request begun. */
const MOST_UNSENT = 1024 * 1024;
/** What was read with them and waits its turn: of one connection, and of all together. */
const MOST_WAITING = 64;
const ALL_WAITING = 1024;

interface Turns {
  /**
   * Begins a request at its turn.
   * @param begin is called at most once @returns what is to be called when its response is closed, or its connection is
   */
  take(request: IncomingMessage, response: ServerResponse, begin: () => () => void): void;
}

/** One request, waiting or under way. */
interface Turn {
  readonly response: ServerResponse;
  readonly begin: () => () => void;
}

/** Those of one connection. */
interface Line {
  /** Under way, each with what ends it. */
  readonly underWay: Map<ServerResponse, () => void>;
  readonly waiting: Turn[];
}

export function takeTurns(): Turns {
  const lines = new Map<Socket, Line>();
  let waitingInAll = 0;

  function lineOf(socket: Socket): Line {
    const found = lines.get(socket);
    if (found !== undefined) return found;
    const line: Line = { underWay: new Map(), waiting: [] };
    lines.set(socket, line);
    // Of a response that was not the first in line, nothing else tells that its connection is gone.
    socket.once('close', () => {
      lines.delete(socket);
      waitingInAll -= line.waiting.splice(0).length;
      for (const end of line.underWay.values()) end();
      line.underWay.clear();
    });
    return line;
  }

  function start(socket: Socket, line: Line, { response, begin }: Turn): void {
    line.underWay.set(response, () => {});
    response.once('close', () => {
      line.underWay.get(response)?.();
      line.underWay.delete(response);
      goOn(socket, line);
    });
    line.underWay.set(response, begin());
  }

  function goOn(socket: Socket, line: Line): void {
    while (line.waiting.length > 0 && hasRoom(socket, line)) {
      waitingInAll -= 1;
      start(socket, line, line.waiting.shift() as Turn);
    }
  }

  return {
    take({ socket }, response, begin) {
      const line = lineOf(socket);
      const turn = { response, begin };
      if (line.waiting.length === 0 && hasRoom(socket, line)) {
        start(socket, line, turn);
      } else if (line.waiting.length < MOST_WAITING && waitingInAll < ALL_WAITING) {
        waitingInAll += 1;
        line.waiting.push(turn);
      } else {
        socket.destroy();
      }
    },
  };
}

function hasRoom(socket: Socket, { underWay }: Line): boolean {
  if (underWay.size === 0) return true;
  return underWay.size < MOST_UNDER_WAY && unsentOf(socket, underWay.keys()) < MOST_UNSENT;
}

/** Bytes that wait to be taken: those of the connection, and of responses that wait for theirs before them. */
function unsentOf(socket: Socket, responses: Iterable<ServerResponse>): number {
  let bytes = socket.writableLength;
  for (const response of responses) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}
