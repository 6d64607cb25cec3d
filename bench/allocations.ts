/**
 * Which functions of a node allocate how much: V8's sampling profile of its heap, taken from outside over the inspector's
 * protocol, with what was collected meanwhile. https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

/** Bytes between samples, on average: an intent gives dozens of them. */
const INTERVAL = 1024;
const SAMPLING = {
  samplingInterval: INTERVAL,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
};

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface ProfileNode {
  readonly callFrame: Frame;
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

export interface Profiler {
  /** The bytes that each function of the node allocates itself while the work is done, the most first. */
  during(work: () => Promise<void>): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

/** @param port where the node's inspector listens */
export async function openProfiler(port: number): Promise<Profiler> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { readonly webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(String(target?.webSocketDebuggerUrl), { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  const ask = (method: string, params = {}) => {
    const id = ++last;
    return new Promise<{ readonly profile: { readonly head: ProfileNode } }>((resolve, reject) => {
      socket.on('message', function answered(data) {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.off('message', answered);
        if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(`${method}: ${answer.error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  return {
    async during(work) {
      await ask('HeapProfiler.startSampling', SAMPLING);
      await work();
      const { profile } = await ask('HeapProfiler.stopSampling');
      return bytesByFunction(profile.head);
    },
    close: () => socket.close(),
  };
}

function bytesByFunction(head: ProfileNode): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  const visit = (node: ProfileNode, above: string) => {
    const own = nameOf(node.callFrame);
    // What Node and V8 allocate is named with the function that asked for it.
    const name = own ?? `${above} › ${node.callFrame.functionName || '(native)'}`;
    bytes.set(name, (bytes.get(name) ?? 0) + node.selfSize);
    for (const child of node.children) visit(child, own ?? above);
  };
  visit(head, '(node)');
  return new Map([...bytes].sort(([, one], [, other]) => other - one));
}

const maps = new Map<string, SourceMap>();

/** A function of the program or of a library, by the place of its source; undefined for those of Node itself. */
function nameOf({ functionName, url, lineNumber, columnNumber }: Frame): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const file = fileURLToPath(url);
  let map = maps.get(file);
  if (map === undefined) {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    maps.set(file, map);
  }
  const found = map.findEntry(lineNumber, columnNumber);
  if (!('originalSource' in found)) return `${functionName} ${relative('.', file)}:${lineNumber + 1}`;
  const source = fileURLToPath(new URL(found.originalSource, url));
  return `${functionName || '(anonymous)'} ${relative('.', source)}:${found.originalLine + 1}`;
}
