/** A gate beside the core, in a thread or in a process of its own: what starts it, and what runs there. */
import type { ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { startProcess, startThread } from '../../assets/beside.ts';
import type { NodeFacts } from '../../core/gate.ts';
import { type Channel, linkOver } from '../../core/link.ts';
import { answersOf, remoteCore } from '../../core/remoteCore.ts';
import type { CountedMetrics } from './gateMetrics.ts';
import { type GateConfig, type OpenGate, openGate } from './openGate.ts';

/** Where gates run. */
export interface GateHost {
  /** Listens. @throws Error when it cannot, such as for a port that is taken */
  open(config: GateConfig): Promise<OpenGate>;
  /** Resolves when a gate ended though nobody asked it to: the node cannot go on. */
  readonly lost: Promise<Error>;
  end(): Promise<void>;
}

/** The other end of a channel, and its life. */
interface Beside {
  readonly channel: Channel;
  /** Told once it has ended, and why where that is known. */
  onEnd(ended: (cause: Error) => void): void;
  end(): Promise<void>;
}

/** Its code is loaded from here on, while the core opens its store. */
export function gateInThread(): GateHost {
  const worker = startThread('gate');
  return hostOver({
    channel: { send: (message) => worker.postMessage(message), onMessage: (take) => worker.on('message', take) },
    onEnd(ended) {
      worker.on('error', ended);
      worker.on('exit', () => ended(new Error('The thread of the gate ended.')));
    },
    end: async () => void (await worker.terminate()),
  });
}

/** Each in a process of its own, on one port: the system gives a connection to any that is free to take it. */
export function gatesInProcesses(count: number): GateHost {
  const children = Array.from({ length: count }, () => startProcess('gate'));
  const hosts = children.map((child) => hostOver(processBeside(child)));
  return {
    lost: Promise.race(hosts.map(({ lost }) => lost)),
    async open(config) {
      const listener = await listen(config);
      for (const child of children) child.send('listener', listener);
      const gates = await Promise.all(hosts.map((host) => host.open(shareOf(config, count))));
      // They hold the port from here on; open here as well, it would take connections and leave them unanswered.
      await new Promise((resolve) => listener.close(resolve));
      return togetherAs(gates);
    },
    async end() {
      await Promise.all(hosts.map((host) => host.end()));
    },
  };
}

function processBeside(child: ChildProcess): Beside {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    channel: { send: (message) => void child.send(message as object), onMessage: (take) => child.on('message', take) },
    onEnd(ended) {
      child.on('error', ended);
      child.on('exit', (code, signal) => ended(new Error(`A process of the gate ended (${signal ?? code}).`)));
    },
    end() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

function hostOver(beside: Beside): GateHost {
  let answer: ReturnType<typeof answersOf> | undefined;
  let isEnding = false;
  let hasEnded = false;
  const link = linkOver(beside.channel, async (name, given) => {
    if (answer === undefined) throw new Error('The gate asks before it serves.');
    return answer(name, given);
  });
  const lost = new Promise<Error>((resolve) => {
    beside.onEnd((cause) => {
      hasEnded = true;
      link.lose(cause);
      if (!isEnding) resolve(cause);
    });
  });
  return {
    lost,
    async open(config) {
      const port = (await link.ask('open', config)) as number;
      return {
        port,
        async serve(core, facts) {
          answer = answersOf(core);
          await link.ask('serve', facts);
        },
        countMetrics: () => link.ask('countMetrics') as Promise<readonly CountedMetrics[]>,
        async drain(withinMs) {
          await link.ask('drain', withinMs).catch((error: unknown) => {
            // With a gate that is gone, all that was in flight is gone.
            if (!hasEnded) throw error;
          });
        },
        async close() {
          await link.ask('close');
        },
      };
    },
    end() {
      isEnding = true;
      return beside.end();
    },
  };
}

/** The share of one of several gates in what connections may cost. One address may come to one gate with all of its own. */
function shareOf(config: GateConfig, count: number): GateConfig {
  return {
    ...config,
    maxSockets: Math.ceil(config.maxSockets / count),
    maxReceivingBytes: Math.ceil(config.maxReceivingBytes / count),
  };
}

function togetherAs(gates: readonly OpenGate[]): OpenGate {
  const each = async (run: (gate: OpenGate) => void | Promise<void>) => {
    await Promise.all(gates.map(run));
  };
  return {
    port: (gates[0] as OpenGate).port,
    serve: (core, facts) => each((gate) => gate.serve(core, facts)),
    countMetrics: async () => (await Promise.all(gates.map((gate) => gate.countMetrics()))).flat(),
    drain: (withinMs) => each((gate) => gate.drain(withinMs)),
    close: () => each((gate) => gate.close()),
  };
}

function listen({ port, host }: GateConfig): Promise<Server> {
  return new Promise((resolve, reject) => {
    // Whoever comes before a gate has the port is turned away: here nobody would answer them.
    const listener = createServer((socket) => socket.destroy());
    listener.once('error', reject);
    listener.listen(port, host, () => resolve(listener));
  });
}

/** What runs beside the core. */
export function runGate(): void {
  if (parentPort !== null) {
    const port = parentPort;
    answerCore({ send: (message) => port.postMessage(message), onMessage: (take) => port.on('message', take) });
    return;
  }
  // Whoever stops the node by a signal to all its processes means the first one, which lets the gates finish.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit(1));
  process.once('message', (_word, listener) => {
    answerCore(
      { send: (message) => void process.send?.(message), onMessage: (take) => process.on('message', take) },
      listener as Server,
    );
  });
}

/** @param listener that listens already, where several gates share it */
function answerCore(channel: Channel, listener?: Server): void {
  let gate: OpenGate | undefined;
  const answers: Readonly<Record<string, (given: never) => unknown>> = {
    async open(config: GateConfig) {
      gate = await openGate(config, listener);
      return gate.port;
    },
    serve: (facts: NodeFacts) => gate?.serve(remoteCore(link), facts),
    countMetrics: () => gate?.countMetrics(),
    drain: (withinMs: number) => gate?.drain(withinMs),
    close: () => gate?.close(),
  };
  const link = linkOver(channel, async (name, given) => answers[name]?.(given[0] as never));
}
