/** `countersign serve`: starts the node, says where it is and what comes next, and stops in order. */

import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import type { Config } from '../../node/config/config.ts';
import { linksOf, railRemedy } from '../../node/config/extensionConfig.ts';
import { readableText, readSettings } from '../../node/config/settingLayers.ts';
import type { GateHost } from '../../node/gate/gateHost.ts';
import { type Node, startNode } from '../../node/startNode.ts';
import { canPayCarts } from '../../rails/rail.ts';
import { withConfig } from '../input/withConfig.ts';
import { colour } from '../output/print.ts';
import { firstLines } from './firstKey.ts';
import { boundHeapGrowth } from './heapGrowth.ts';
import { whatIsLacking } from './whatIsLacking.ts';

/** @param gates where the gates run, when that has begun already */
export function serve(env: NodeJS.ProcessEnv, gates: GateHost | undefined): Promise<void> {
  return withConfig(env, (config) => {
    for (const file of readSettings(env).readable) console.error(`Warning: ${readableText(file)} chmod 600 ${file}`);
    return start(config, gates);
  });
}

async function start(config: Config, gates: GateHost | undefined): Promise<void> {
  let serving: Node | undefined;
  let stopping = false;
  const stop = () => {
    // In a container it is the first process, which a signal without a handler does not end.
    if (serving === undefined) process.exit(0);
    if (stopping) return;
    stopping = true;
    serving.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const node = await startNode(config, { gates });
  serving = node;
  boundHeapGrowth(process.execArgv);
  void node.lost.then(endAtOnce);

  try {
    const lacking = config.environment === 'production' ? await whatIsLacking(node, config) : [];
    console.log(greeting(node, config, lacking));
    // Only now does it count as shown: a start that dies before leaves it to the next.
    if (hasFirst(node) && !stopping) await node.keyShown();
  } catch (error) {
    // Such as a disk that the first key cannot be written to.
    if (!stopping) await node.stop();
    throw error;
  }
}

/** Nothing is finished or closed: what was acknowledged is on disk. */
function endAtOnce(cause: Error): void {
  console.error(
    `What takes its requests ended (${cause.message}), so the node ends: start it again; nothing that it acknowledged is lost.`,
  );
  process.exit(1);
}

/** Whether there is something that only the first start shows. */
function hasFirst({ newKey, welcome }: Node): boolean {
  return newKey !== undefined || welcome !== undefined;
}

/** @param lacking what a production node cannot do yet */
export function greeting(node: Node, config: Config, lacking: readonly string[]): string {
  const lines = [
    `${colour.bold('Countersign')} ${config.environment} node on ${node.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    '',
    `  Console   ${node.baseUrl}/console/`,
    `  REST      ${node.baseUrl}/ap2`,
    `  Gateway   ${node.baseUrl}/a2a/gateway`,
    ...Object.entries(linksOf(config.extensions)).map(
      ([name, path]) => `  ${name.toUpperCase().padEnd(9)} ${node.baseUrl}${path}`,
    ),
    `  Card      ${node.baseUrl}/.well-known/agent-card.json`,
    `  Issuer    ${node.deps.issuer.did}`,
    ...(canPayCarts(node.deps.rails)
      ? []
      : [`  No rail   carts are refused (RAIL_UNAVAILABLE); to mend it, ${railRemedy(config)}`]),
  ];
  if (hasFirst(node)) {
    const isTerminal = process.stdout.isTTY === true;
    const first = firstLines({ key: node.newKey, link: node.welcome }, config, isTerminal);
    lines.push('', ...first.map((line) => (line === '' ? '' : `  ${line}`)));
  }
  const trouble = passkeyTrouble(node.baseUrl);
  if (trouble !== undefined) lines.push('', colour.yellow(`  ${trouble}`));
  if (lacking.length > 0)
    lines.push('', 'Before it can authorize a purchase:', ...lacking.map((sentence) => colour.yellow(`  ${sentence}`)));
  const next = config.environment === 'sandbox' ? `Next: a first purchase, ${node.baseUrl}/docs/tutorial-agent. ` : '';
  lines.push('', `${next}Stop with Ctrl-C.`);
  return lines.join('\n');
}
