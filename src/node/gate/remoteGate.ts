/** What runs in the thread of a gate beside the core (gateHost.ts). */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { linkOver, type ThreadChannel } from '../../core/link.ts';
import { remoteCore } from '../../core/remoteCore.ts';
import type { NodeFacts } from '../../gates/shell/gate.ts';
import type { Observer } from '../../usecase/tracing.ts';
import { logTo, makeLogger } from '../makeLogger.ts';
import { openObserver } from '../openObserver.ts';
import { type GateConfig, type OpenGate, openGate } from './openGate.ts';

export function runGate(): void {
  const port = parentPort as MessagePort;
  let gate: OpenGate | undefined;
  let observer: Observer | undefined;
  const answers: Readonly<Record<string, (given: never) => unknown>> = {
    async open(config: GateConfig) {
      observer = await openObserver(config, logTo(makeLogger(config.logLevel)).warn);
      gate = await openGate(config, observer?.tracing);
      return gate.port;
    },
    serve: (facts: NodeFacts) => gate?.serve(remoteCore(link, observer?.tracing), facts),
    countMetrics: () => gate?.countMetrics(),
    async drain(withinMs: number) {
      await gate?.drain(withinMs);
      await observer?.stop();
    },
    close: () => gate?.close(),
  };
  const channel = {
    send: (message: unknown) => port.postMessage(message),
    onMessage: (take: Parameters<ThreadChannel['onMessage']>[0]) => void port.on('message', take),
  };
  const link = linkOver(channel, async (name, given) => answers[name]?.(given[0] as never));
}
