/** The frames of one socket: text in, answers out as they are ready, both bounded. */
import type { WebSocket } from 'ws';

/** Frames being answered at once; further ones wait: what one read brought, and then unread. */
const MAX_IN_FLIGHT = 16;
/** So many failed frames within a minute end a conversation. */
const MAX_FAILURES = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Answers a peer may leave unread. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const PING_SECONDS = 30;
const IDLE_SECONDS = 600;
/** How long the closing handshake may take. */
const CLOSING_MS = 2000;

/** Close codes of RFC 6455 section 7.4.1, and 1013 of its registry. */
const CLOSE = { idle: 1000, leaving: 1001, notText: 1003, policy: 1008, broken: 1011, overload: 1013 } as const;

/** The answer to a frame. A batch failed when all of its requests did. */
interface FrameAnswer {
  readonly text: string;
  readonly failed: boolean;
}

export interface Conversation {
  /** Begins no further frame and lets those under way end, then closes; all of it within the time, answered or not. */
  end(withinMs: number): Promise<void>;
}

export function converse(socket: WebSocket, answer: (frame: Buffer) => Promise<FrameAnswer>): Conversation {
  const failures = failureCount();
  /** Read with those under way. */
  const waiting: Buffer[] = [];
  let inFlight = 0;
  let lastFrameAt = performance.now();
  let whenQuiet = () => {};
  let ending = false;

  async function respond(frame: Buffer): Promise<void> {
    inFlight += 1;
    if (inFlight >= MAX_IN_FLIGHT) socket.pause();
    try {
      put(socket, await answer(frame), failures);
    } catch {
      // It is handled here alone, and an unhandled rejection ends the process.
      socket.close(CLOSE.broken, 'something went wrong here');
    } finally {
      inFlight -= 1;
      const next = socket.readyState === socket.OPEN && !ending ? waiting.shift() : undefined;
      if (next !== undefined) void respond(next);
      else if (inFlight < MAX_IN_FLIGHT) socket.resume();
      if (inFlight === 0) whenQuiet();
    }
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // Its sender could not be told the result; the close tells them that it was not begun.
    if (ending) return;
    lastFrameAt = performance.now();
    if (isBinary) socket.close(CLOSE.notText, 'text frames only');
    else if (inFlight < MAX_IN_FLIGHT) void respond(data);
    else waiting.push(data);
  });
  // A frame that is too long or malformed: ws closes with the code that says so.
  socket.on('error', () => {});

  const heartbeat = ping(socket, () => inFlight === 0 && performance.now() - lastFrameAt > IDLE_SECONDS * 1000);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void closed.then(() => clearInterval(heartbeat));

  return {
    async end(withinMs) {
      ending = true;
      if (inFlight > 0) {
        await within(withinMs - CLOSING_MS, (done) => {
          whenQuiet = done;
        });
      }
      await leave(socket, closed);
    },
  };
}

/** Says that the node stops, and waits for the peer to say that it knows, a little while. */
async function leave(socket: WebSocket, closed: Promise<void>): Promise<void> {
  // A paused socket would not see the peer's half of the closing handshake.
  socket.resume();
  socket.close(CLOSE.leaving, 'the node is stopping');
  const late = setTimeout(() => socket.terminate(), CLOSING_MS);
  await closed;
  clearTimeout(late);
}

function put(socket: WebSocket, { text, failed }: FrameAnswer, failures: ReturnType<typeof failureCount>): void {
  if (socket.readyState !== socket.OPEN || endIfUnread(socket)) return;
  socket.send(text);
  if (failed && failures.add(performance.now()) >= MAX_FAILURES) {
    socket.close(CLOSE.policy, `${MAX_FAILURES} frames failed within a minute`);
  }
}

/** @returns true for a socket whose answers are not being read: it is closed, and the close need not be read either */
function endIfUnread(socket: WebSocket): boolean {
  if (socket.bufferedAmount <= MAX_QUEUED_BYTES) return false;
  socket.close(CLOSE.overload, 'answers are not being read');
  socket.terminate();
  return true;
}

/** Resolves once what began is done, or when the time is up. */
function within(ms: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ms);
    begin(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** Pings the peer: one that does not answer until the next ping is cut off, and an idle one is closed. */
function ping(socket: WebSocket, idle: () => boolean): NodeJS.Timeout {
  let alive = true;
  // The library answers each ping of the peer's own.
  socket.on('ping', () => endIfUnread(socket));
  socket.on('pong', () => {
    alive = true;
  });
  return setInterval(() => {
    if (!alive) return socket.terminate();
    if (idle()) return socket.close(CLOSE.idle, 'idle');
    alive = false;
    socket.ping();
  }, PING_SECONDS * 1000);
}

/** Counts the failures of the last minute. */
function failureCount(): { add(nowMs: number): number } {
  let times: number[] = [];
  return {
    add(nowMs) {
      times = [...times.filter((at) => at > nowMs - FAILURE_WINDOW_MS), nowMs];
      return times.length;
    },
  };
}
