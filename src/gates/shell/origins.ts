/** Which pages may read what a gate answers, and which may call it at all (Fetch Standard, CORS). */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Gate } from './gate.ts';

type Settings = Pick<Gate['settings'], 'baseUrl' | 'corsOrigins'>;

/** The headers by which an answer names the configured origin that asked. The facade answers preflight requests. */
export function allowedOrigin({ corsOrigins }: Settings, origin: string | undefined): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  const isAllowed = origin !== undefined && corsOrigins.includes(origin);
  return isAllowed ? { Vary: 'Origin', 'Access-Control-Allow-Origin': origin } : { Vary: 'Origin' };
}

/**
 * A page of another site is told by its origin, which browsers send with what they do for it.
 * @param asks what the page asks for, as the refusal says it @throws Fault FORBIDDEN
 */
export function requireOwnOrigin({ baseUrl, corsOrigins }: Settings, origin: string | undefined, asks: string): void {
  if (origin === undefined || origin === new URL(baseUrl).origin || corsOrigins.includes(origin)) return;
  throw new Fault('FORBIDDEN', `Pages of ${origin} may not ${asks}; see CORS_ORIGINS.`);
}
