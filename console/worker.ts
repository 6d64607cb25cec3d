/**
 * The service worker: the console opens without a network, and says that the node cannot be reached. It keeps the page and
 * its files, and never an answer of the node.
 */

/** What the page loads at once; the build fills it in. */
declare const shellFiles: readonly string[];

/** As much of a worker's scope as is used here: the types of both scopes exclude each other. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'fetch', listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

const worker = globalThis as unknown as Scope;
/** Another set of files is another cache. */
const CACHE = `countersign-console ${shellFiles.join(' ')}`;
const HASHED = /-[0-9A-Z]{8}\.\w+$/;

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(['./', ...shellFiles]))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener('activate', (event) => {
  const removeOthers = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('countersign-console ') && name !== CACHE) await caches.delete(name);
    }
    await worker.clients.claim();
  };
  event.waitUntil(removeOthers());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { scope } = worker.registration;
  if (request.method !== 'GET') return;
  if (request.url.split(/[?#]/)[0] === scope) event.respondWith(pageOf(request));
  else if (request.url.startsWith(scope) && HASHED.test(request.url)) event.respondWith(fileOf(request));
});

/** As the node has it now; as it was, where the node cannot be reached. */
async function pageOf(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('./', { cacheName: CACHE });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** A file is named for what is in it, so that one that was kept is the one that is wanted. */
async function fileOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}
