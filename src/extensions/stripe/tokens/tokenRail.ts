/** Which rail of a node makes shared payment tokens. */
import type { TokenIssuer } from '../../../rails/tokenIssuer.ts';

/** The first rail of a node that issues tokens. */
export function tokenRail<Issuing extends { readonly tokens?: TokenIssuer | undefined }>(
  rails: ReadonlyMap<string, Issuing>,
): Issuing | undefined {
  return [...rails.values()].find(({ tokens }) => tokens !== undefined);
}
