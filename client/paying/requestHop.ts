/** Requests that can be sent again: one hop of a chain of redirects each, followed here so that it is known which of them was answered. */

const MOST_HOPS = 20;

/** One request of a chain of redirects, which can be sent again. */
export interface RequestHop {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  readonly init: RequestInit;
}

/** A copy: the caller's init is often shared by several requests, and a Request is read once. */
export async function hopOf(input: string | URL | Request, init: RequestInit = {}): Promise<RequestHop> {
  const request = new Request(input instanceof Request ? input.clone() : input, { ...init });
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null;
  const body = hasBody ? await request.arrayBuffer() : undefined;
  const { signal, redirect, credentials, mode, cache } = request;
  const passed = Object.entries(init).filter(([name]) => !['method', 'headers', 'body', 'duplex'].includes(name));
  return {
    url: request.url,
    method: request.method,
    headers: new Headers(request.headers),
    body,
    init: { signal, redirect, credentials, mode, cache, ...Object.fromEntries(passed) },
  };
}

export function sendHop(send: typeof fetch, { url, method, headers, body, init }: RequestHop): Promise<Response> {
  return send(url, { ...init, method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
}

/** Follows redirects as fetch does, hop by hop, so that it is known which request was answered: by which method, with which body. */
export async function follow(
  send: typeof fetch,
  from: RequestHop,
  answered: Response,
): Promise<{ readonly hop: RequestHop; readonly response: Response }> {
  let [hop, response] = [from, answered];
  if (from.init.redirect === 'manual') return { hop, response };
  for (let hops = 0; isRedirect(response); hops++) {
    if (from.init.redirect === 'error' || hops >= MOST_HOPS)
      throw new TypeError('fetch failed: too many redirects, or none allowed');
    hop = nextHop(hop, response);
    // Where a fetch has kept a copy of its own, that ends only with the copy.
    response.body?.cancel().catch(() => {});
    response = await sendHop(send, hop);
  }
  return { hop, response };
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has('location');
}

/** WHATWG Fetch, "HTTP-redirect fetch": a POST becomes a GET by 301 and 302, anything but GET and HEAD by 303; other origins get no credentials. */
function nextHop({ url, method, headers: sent, body, init }: RequestHop, { status, headers }: Response): RequestHop {
  const next = new URL(headers.get('location') ?? '', url);
  if (next.protocol !== 'http:' && next.protocol !== 'https:')
    throw new TypeError('fetch failed: a redirect to no address of HTTP');
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
  const kept = new Headers(sent);
  const isOther = next.origin !== new URL(url).origin;
  for (const name of [...(isOther ? OF_ORIGIN : []), ...(becomesGet ? OF_BODY : [])]) kept.delete(name);
  return {
    url: next.href,
    method: becomesGet ? 'GET' : method,
    headers: kept,
    body: becomesGet ? undefined : body,
    init,
  };
}

const OF_ORIGIN = ['authorization', 'proxy-authorization', 'cookie', 'host'];
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];

/** RFC 9530: `sha-256=:…:`. */
export async function digestOf(body: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
}
