/** Checks what is outside the node: the machine's clock, the public address, and whether the rails answer. */

import { isLoopback } from '../../access/clientAddress.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import type { Config } from '../../node/config/config.ts';
import { railRemedy, startingExtensions } from '../../node/config/extensionConfig.ts';
import { get, type Store } from '../../store/store.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';

/** Half of the 60 s that a message between agents may be ahead. */
const SKEW_SECONDS = 30;
const PATIENCE_MS = 5000;
const REMEDY = 'set BASE_URL=https://your.host and run a proxy there; see deploy/Caddyfile';
const SET_CLOCK = 'timedatectl set-ntp true';

/**
 * Compares this machine's clock with the newest event, which cannot be ahead, with PostgreSQL's clock, and with that of
 * the node at the address, whose answers carry a Date (RFC 9110, section 6.6.1).
 * @param store undefined where there is no database @param now milliseconds since the epoch
 */
export async function checkClock(store: Store | undefined, url: string, now: () => number): Promise<Finding> {
  const check = 'clock';
  const behind = store === undefined ? 0 : ((await newestEvent(store)) - now()) / 1000;
  if (behind > SKEW_SECONDS) {
    return fault(check, `The newest event is ${Math.round(behind)} s ahead of this machine's clock.`, SET_CLOCK);
  }
  if (store?.engine === 'postgres') {
    const row = await store.read(() =>
      get<{ now: number }>('SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now'),
    );
    const apart = Math.abs((row?.now ?? now()) - now()) / 1000;
    if (apart > SKEW_SECONDS) {
      return fault(check, `PostgreSQL's clock and this machine's are ${Math.round(apart)} s apart.`, SET_CLOCK);
    }
  }
  const date = await dateAt(url);
  if (date === undefined) return ok(check, 'No event is ahead of this clock.');
  const apart = Math.abs(date - now()) / 1000;
  if (apart > SKEW_SECONDS) {
    return fault(check, `The clock at ${url} and this machine's are ${Math.round(apart)} s apart.`, SET_CLOCK);
  }
  return ok(check, `It agrees with the clock at ${url}.`);
}

async function newestEvent(store: Store): Promise<number> {
  try {
    const row = await store.read(() => get<{ last: number | null }>('SELECT MAX(created_at) AS last FROM evidence'));
    return row?.last ?? 0;
  } catch {
    return 0;
  }
}

/** Milliseconds since the epoch, undefined when nothing answers. */
async function dateAt(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
    await response.arrayBuffer();
    const date = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(date) ? undefined : date;
  } catch {
    return undefined;
  }
}

export function checkPasskeys(config: Config): Finding {
  const check = 'passkeys';
  const address = config.baseUrl ?? `http://localhost:${config.port}`;
  const trouble = passkeyTrouble(address);
  if (trouble === undefined && config.environment === 'production' && isLoopback(address)) {
    const message = `Browsers allow them at ${address} on this machine alone: it cannot be reached from a phone.`;
    return warning(check, message, REMEDY);
  }
  if (trouble === undefined) return ok(check, `Browsers allow them at ${address}.`);
  return fault(check, trouble, REMEDY);
}

/** Asks what is behind each rail; any answer but a refusal shows that it can be paid through. */
export async function checkRails(config: Config): Promise<Finding[]> {
  const check = 'rail';
  const asked = startingExtensions(config).filter(([{ rails }]) => rails !== undefined);
  if (asked.length === 0) {
    return [fault(check, 'There is no rail: every payment will be refused as RAIL_UNAVAILABLE.', railRemedy(config))];
  }
  const findings = asked.map(async ([extension, values]) => {
    const { state, message, remedy } = (await extension.check?.(values)) ?? { state: 'ok', message: 'It is there.' };
    return state === 'ok' || remedy === undefined ? ok(check, message) : fault(check, message, remedy);
  });
  return Promise.all(findings);
}
