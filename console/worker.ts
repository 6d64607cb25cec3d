/**
 * The service worker: the console opens without a network, and says that the node cannot be reached. It keeps the page and
 * its files, and never an answer of the node. It shows the notifications that the node pushes, and leads to what they are about.
 */
import type { Notice } from '../protocol/webhook/noticeText.ts';

/** What the page loads at once; the build fills it in. */
declare const shellFiles: readonly string[];

/** As much of a worker's scope as is used here: the types of both scopes exclude each other. */
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly type: 'window' }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'fetch', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}

/** An open page of this origin. */
interface Page {
  readonly url: string;
  navigate(url: string): Promise<unknown>;
  focus(): Promise<unknown>;
}

interface PushEvent {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickEvent {
  /** Of the button that was touched; empty for the notification itself. */
  readonly action: string;
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
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

const AGENT_BUTTON = 'agent';

worker.addEventListener('push', (event) => {
  event.waitUntil(showNotice(event.data?.json() as Notice));
});

worker.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  const { path, agentPath = path } = notification.data as Pick<Notice, 'path' | 'agentPath'>;
  notification.close();
  event.waitUntil(openAt(action === AGENT_BUTTON ? agentPath : path));
});

function showNotice({ title, body, path, agentPath, tag }: Notice): Promise<void> {
  const actions =
    agentPath === undefined || agentPath === path ? [] : [{ action: AGENT_BUTTON, title: 'Open the agent' }];
  // `actions` is missing in the types of a page's notifications, which have none.
  const options: NotificationOptions & { readonly actions: readonly object[] } = {
    body,
    tag,
    actions,
    data: { path, agentPath },
  };
  return worker.registration.showNotification(title, options);
}

/** In a page of the console that is open already, or else in a new one. @param path what follows the `#` */
async function openAt(path: string): Promise<void> {
  const { scope } = worker.registration;
  const url = `${scope}#${path}`;
  const open = (await worker.clients.matchAll({ type: 'window' })).find((page) => page.url.startsWith(scope));
  if (open === undefined) {
    await worker.clients.openWindow(url);
    return;
  }
  await open.navigate(url);
  await open.focus();
}
