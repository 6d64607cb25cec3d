/** The credentials of REST callers: a program's API key, a person's access token, an agent's own key. */
import type { Agent } from './identity.ts';

export type ClientCredential =
  | { readonly apiKey: string }
  /** A function is called for each request, so that it may refresh the token. */
  | { readonly accessToken: string | (() => string | Promise<string>) }
  | { readonly agent: Agent };

/** The headers that authenticate one request. */
export async function headersOf(
  credential: ClientCredential,
  request: { readonly method: string; readonly path: string; readonly body: string | undefined },
  publicUrl: () => Promise<string>,
): Promise<Record<string, string>> {
  if ('apiKey' in credential) return { Authorization: `Bearer ${credential.apiKey}` };
  if ('accessToken' in credential) {
    const { accessToken } = credential;
    const token = typeof accessToken === 'string' ? accessToken : await accessToken();
    return { Authorization: `Bearer ${token}` };
  }
  const { agent } = credential;
  // Loaded here, since callers with a key or a login never need it.
  const { makeDidProof } = await import('./didProof.ts');
  const proof = makeDidProof(agent, { baseUrl: await publicUrl(), ...request });
  return { 'X-Agent-DID': agent.did, 'X-DID-Proof': proof };
}
