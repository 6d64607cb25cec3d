/** A gate in a thread beside the core, as the core sees it; what runs there is in remoteGate.ts. */
import { startThread } from '../../assets/beside.ts';
import { linkOver, type ThreadChannel } from '../../core/link.ts';
import { answersOf } from '../../core/remoteCore.ts';
import type { CountedMetrics } from '../../usecase/metrics.ts';
import type { Tracing } from '../../usecase/tracing.ts';
import type { GateConfig, OpenGate } from './openGate.ts';

/** Where the gate runs. */
export interface GateHost {
  /** Listens. @param tracing of the core's thread @throws Error when it cannot, such as for a port that is taken */
  open(config: GateConfig, tracing?: Tracing): Promise<OpenGate>;
  /** Resolves when a gate ended without being told to: the node cannot go on. */
  readonly lost: Promise<Error>;
  end(): Promise<void>;
}

/** Its code is loaded from here on, while the core opens its store. */
export function gateInThread(): GateHost {
  return hostOver(startThread('gate'));
}

/** What a gate's host uses of a Worker. */
interface GateThread {
  postMessage(message: unknown): void;
  // biome-ignore lint/suspicious/noExplicitAny: as Node declares it
  on(event: string, listener: (value: any) => void): unknown;
  terminate(): Promise<unknown>;
}

/** @param worker the thread that runs a gate */
export function hostOver(worker: GateThread): GateHost {
  let answer: ReturnType<typeof answersOf> | undefined;
  let isEnding = false;
  let hasEnded = false;
  const channel = {
    send: (message: unknown) => worker.postMessage(message),
    onMessage: (take: Parameters<ThreadChannel['onMessage']>[0]) => void worker.on('message', take),
  };
  const link = linkOver(channel, async (name, given) => {
    if (answer === undefined) throw new Error('The gate asks before it serves.');
    return answer(name, given);
  });
  const lost = new Promise<Error>((resolve) => {
    const ended = (cause: Error) => {
      hasEnded = true;
      link.lose(cause);
      if (!isEnding) resolve(cause);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The thread of the gate ended.')));
  });
  return {
    lost,
    async open(config, tracing) {
      const port = (await link.ask('open', config)) as number;
      return {
        port,
        async serve(core, facts) {
          answer = answersOf(core, tracing);
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
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}
