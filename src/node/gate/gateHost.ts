/** A gate beside the core, in a thread or in a process of its own, as the core sees it; what runs there is in remoteGate.ts. */
import type { ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { startProcess, startThread } from '../../assets/beside.ts';
import { type Channel, linkOver } from '../../core/link.ts';
import { answersOf } from '../../core/remoteCore.ts';
import type { CountedMetrics } from './gateMetrics.ts';
import type { GateConfig, OpenGate } from './openGate.ts';

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
