// Test processes that do not end: node:test asks one that is over its time to stop, and waits for ever for one that cannot hear it
// (a loop, a lock). Each of these is named, with where its JavaScript is, and killed, so that the run fails and says why.
import { readdirSync, readFileSync } from 'node:fs';
import WebSocket from 'ws';

const LOOK_MS = 5000;
/** How long a process that runs JavaScript may take to say where it is. */
const ANSWER_MS = 10_000;
/** Where Node's inspector listens once SIGUSR1 has started it. */
const INSPECTOR = 'http://127.0.0.1:9229/json';

/**
 * Looks at the children of a process (Linux: /proc) until it is stopped.
 * @param limitMs after so long a child is stuck
 * @returns stops it
 */
export function killStuckFiles(parent, limitMs) {
  const since = new Map();
  const timer = setInterval(() => {
    for (const pid of childrenOf(parent)) {
      if (!since.has(pid)) since.set(pid, performance.now());
      if (performance.now() - since.get(pid) < limitMs) continue;
      since.set(pid, Number.POSITIVE_INFINITY);
      void end(pid, limitMs);
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}

async function end(pid, limitMs) {
  const where = await stackOf(pid).catch((error) => `no JavaScript of it answers (${error.message})`);
  console.error(`Stuck for ${limitMs / 60_000} min, killed: ${read(pid, 'cmdline').split('\0').at(-2)}`);
  console.error(
    `${where}\n${read(pid, 'status')
      .match(/^(State|Threads|VmRSS).*$/gm)
      ?.join('\n')}`,
  );
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The frames of the main thread, which a loop does not keep from answering: Node's inspector has a thread of its own. */
async function stackOf(pid) {
  process.kill(pid, 'SIGUSR1');
  const [target] = await retry(async () => (await fetch(INSPECTOR)).json());
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const scripts = new Map();
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('it waits, or is in native code')), ANSWER_MS).unref();
      socket.on('error', reject);
      socket.on('open', () => {
        for (const [id, method] of ['Debugger.enable', 'Debugger.pause'].entries()) {
          socket.send(JSON.stringify({ id, method }));
        }
      });
      socket.on('message', (text) => {
        const { method, params } = JSON.parse(text);
        if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url);
        if (method === 'Debugger.paused')
          resolve(params.callFrames.map((frame) => frameText(frame, scripts)).join('\n'));
      });
    });
  } finally {
    socket.terminate();
  }
}

function frameText({ functionName, location }, scripts) {
  return `    at ${functionName || '<anonymous>'} (${scripts.get(location.scriptId)}:${location.lineNumber + 1}:${location.columnNumber + 1})`;
}

async function retry(ask) {
  const ends = performance.now() + ANSWER_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > ends) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function childrenOf(parent) {
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  // The second member after the command's closing parenthesis is the parent.
  return pids.map(Number).filter((pid) => Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1]) === parent);
}

function read(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
