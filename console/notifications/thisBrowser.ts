/** Notifications in this browser: its subscription to push messages, and what the node knows of it. */
import type { Operations } from '../../client/operations.ts';
import { runsWith } from '../node/here.ts';
import { node } from '../node/node.ts';
import { type NotificationPreferences, readPreferences, storePreferences } from './preferences.ts';

export type ChannelRecord = Operations['showNotifications']['output']['places'][number];

/** unsupported: there is no such thing here; denied: its owner has told the browser never to ask again. */
type Ability = 'able' | 'unsupported' | 'denied';

export function ability(): Ability {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isSupported) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'able';
}

/** @returns the address at the push service; undefined where this browser is not subscribed */
export async function ownEndpoint(): Promise<string | undefined> {
  return (await ownSubscription())?.endpoint;
}

/**
 * Asks the browser, which asks its owner, and tells the node.
 * @throws Error in words for its owner, where the browser does not do it
 */
export async function startTelling(applicationServerKey: string, preferences: NotificationPreferences): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(
      'The browser was not allowed to show notifications; allow it in the settings of this page, and try again.',
    );
  }
  await subscribe(applicationServerKey, preferences);
}

async function subscribe(applicationServerKey: string, preferences: NotificationPreferences): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key is of no use any more.
  const former = await pushManager.getSubscription();
  if (former !== null && keyOf(former) !== applicationServerKey) await former.unsubscribe();
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch((cause: unknown) => {
      throw new Error('The browser did not reach its push service; see whether it has a network, and try again.', {
        cause,
      });
    });
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  const { endpoint } = subscription;
  await node.addNotifications({ kind: 'webPush', endpoint, keys: { p256dh, auth }, ...preferences });
  storePreferences(preferences);
}

/** Ends the notifications of this browser, at the node and here. */
export async function stopTelling(): Promise<void> {
  storePreferences(undefined);
  const subscription = await ownSubscription();
  if (subscription === undefined) return;
  if (runsWith('notices')) await forget(subscription);
  await subscription.unsubscribe();
}

async function forget({ endpoint }: PushSubscription): Promise<void> {
  const { places } = await node.showNotifications();
  const place = places.find(({ url }) => url === endpoint);
  if (place !== undefined) await node.removeNotifications({ id: place.id });
}

/** Subscribes again where the browser, its push service or the node's key has changed, without a question. */
export async function goOnTelling(): Promise<void> {
  const preferences = readPreferences();
  if (preferences === undefined || ability() !== 'able' || Notification.permission !== 'granted') return;
  const [{ applicationServerKey, places }, subscription] = await Promise.all([
    node.showNotifications(),
    ownSubscription(),
  ]);
  const isKnown = places.some(({ url }) => url === subscription?.endpoint);
  if (isKnown && subscription !== undefined && keyOf(subscription) === applicationServerKey) return;
  await subscribe(applicationServerKey, preferences);
}

async function ownSubscription(): Promise<PushSubscription | undefined> {
  if (ability() === 'unsupported') return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** @returns the key that it was made with, as base64url without padding */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
