/** What runs in a gate beside the core, in a thread or in a process of its own (gateHost.ts). */
import type { Server } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { NodeFacts } from '../../core/gate.ts';
import { type Channel, linkOver } from '../../core/link.ts';
import { remoteCore } from '../../core/remoteCore.ts';
import { type GateConfig, type OpenGate, openGate } from './openGate.ts';

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
