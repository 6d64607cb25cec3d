/** `countersign health`: asks a node whether it is ready, for watchers that know nothing but exit codes. */
import { Unreachable, WrongUse } from '../commandFailure.ts';
import { configOf } from '../input/configOf.ts';
import { print } from '../output/print.ts';
import { isWebAddress } from '../target/targetOptions.ts';

const PATIENCE_MS = 2500;

interface HealthOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export async function checkHealth(env: NodeJS.ProcessEnv, options: HealthOptions): Promise<void> {
  const url = options.url ?? env['COUNTERSIGN_URL'] ?? `http://127.0.0.1:${configOf(env).port}`;
  if (!isWebAddress(url)) throw new WrongUse(`"${url}" is not an address; one looks like http://localhost:8402.`);
  const response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => {
    throw new Unreachable(url);
  });
  const ready = response.ok;
  const warnings = warningsIn(await response.text());
  const sentence = ready ? `${url} is ready.` : `${url} takes no requests now (${response.status}).`;
  print(options, { url, ready, ...(warnings.length > 0 && { warnings }) }, [sentence, ...warnings].join('\n'));
  if (!ready) process.exitCode = 1;
}

/** What the node says its owner should look at. */
function warningsIn(text: string): string[] {
  try {
    const { warnings } = JSON.parse(text) as { warnings?: unknown };
    return Array.isArray(warnings) ? warnings.map(String) : [];
  } catch {
    return [];
  }
}
