/** `countersign health`: asks a node whether it is ready, for watchers that know nothing but exit codes. */
import { Command } from 'commander';
import { readConfig } from '../../node/config.ts';
import { Unreachable } from '../exit.ts';
import { print } from '../output/print.ts';

const PATIENCE_MS = 2500;

export function healthCommand(env: NodeJS.ProcessEnv): Command {
  return new Command('health')
    .description('Ask the node on this machine whether it takes requests; exits with 0 when it does.')
    .option('--url <address>', 'another node (COUNTERSIGN_URL)')
    .option('--json', 'answer in JSON')
    .action(async (options: { readonly url?: string; readonly json?: boolean }) => {
      const url = options.url ?? env['COUNTERSIGN_URL'] ?? `http://127.0.0.1:${readConfig(env).port}`;
      const response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => {
        throw new Unreachable(`No node answers at ${url}.`);
      });
      const ready = response.ok;
      print(options, { url, ready }, ready ? `${url} is ready.` : `${url} takes no requests now (${response.status}).`);
      if (!ready) process.exitCode = 1;
    });
}
