/** Which generation of A2A a request speaks, and which extensions it names. */
import type { IncomingMessage } from 'node:http';
import { type A2aVersion, versionOf } from '../../../../protocol/a2a/a2aVersion.ts';
import { APPROVALS } from '../../../../protocol/a2a/approvalParts.ts';
import { extensionsOf } from '../../../../protocol/a2a/extensionUris.ts';
import { StandardFault } from './faults.ts';

/** The methods of both, each by what it does. */
const METHODS = {
  SendMessage: ['1.0', 'send'],
  SendStreamingMessage: ['1.0', 'stream'],
  GetTask: ['1.0', 'get'],
  ListTasks: ['1.0', 'list'],
  CancelTask: ['1.0', 'cancel'],
  SubscribeToTask: ['1.0', 'subscribe'],
  CreateTaskPushNotificationConfig: ['1.0', 'setPush'],
  GetTaskPushNotificationConfig: ['1.0', 'getPush'],
  ListTaskPushNotificationConfigs: ['1.0', 'listPushes'],
  DeleteTaskPushNotificationConfig: ['1.0', 'removePush'],
  GetExtendedAgentCard: ['1.0', 'extendedCard'],
  'message/send': ['0.3', 'send'],
  'message/stream': ['0.3', 'stream'],
  'tasks/get': ['0.3', 'get'],
  'tasks/cancel': ['0.3', 'cancel'],
  'tasks/resubscribe': ['0.3', 'subscribe'],
  'tasks/pushNotificationConfig/set': ['0.3', 'setPush'],
  'tasks/pushNotificationConfig/get': ['0.3', 'getPush'],
  'tasks/pushNotificationConfig/list': ['0.3', 'listPushes'],
  'tasks/pushNotificationConfig/delete': ['0.3', 'removePush'],
  'agent/getAuthenticatedExtendedCard': ['0.3', 'extendedCard'],
} as const satisfies Record<string, readonly [A2aVersion, string]>;

export type Action = (typeof METHODS)[keyof typeof METHODS][1];

/** The dialect is the method's: 1.0 writes its methods with capitals, 0.3 with a slash. @param name one of METHOD_NAMES */
export function methodOf(name: string): { readonly dialect: A2aVersion; readonly action: Action } {
  const [dialect, action] = METHODS[name as keyof typeof METHODS];
  return { dialect, action };
}

export const METHOD_NAMES = Object.keys(METHODS);

/** @throws StandardFault for a version that this node does not speak (A2A 1.0 section 3.6) */
export function requireVersion({ headers, url = '' }: IncomingMessage): void {
  const asked = headers['a2a-version'] ?? new URLSearchParams(url.split('?')[1] ?? '').get('A2A-Version') ?? '';
  const version = String(asked).trim();
  if (version === '' || versionOf(version) !== undefined) return;
  throw new StandardFault('version', `This node speaks A2A 1.0 and 0.3, not "${version.slice(0, 20)}".`);
}

const EXTENSIONS: ReadonlySet<string> = new Set(
  extensionsOf({ did: '', baseUrl: 'http://localhost' }).map(({ uri }) => uri),
);

/** The header that tells which of the extensions asked for are active, by the name under which they were asked for. */
export function activeExtensions(http: IncomingMessage): Record<string, string> {
  const { name, active } = askedExtensions(http);
  return active.length === 0 ? {} : { [name]: active.join(', ') };
}

/** Of the extensions asked for those that add to what a task says. @returns undefined where there is none */
export function taskExtensions(http: IncomingMessage): readonly string[] | undefined {
  const active = askedExtensions(http).active.filter((uri) => uri === APPROVALS);
  return active.length === 0 ? undefined : active;
}

function askedExtensions({ headers }: IncomingMessage): { readonly name: string; readonly active: readonly string[] } {
  for (const name of ['A2A-Extensions', 'X-A2A-Extensions']) {
    const asked = headers[name.toLowerCase()];
    if (asked === undefined) continue;
    const named = String(asked)
      .split(',')
      .map((uri) => uri.trim());
    return { name, active: named.filter((uri) => EXTENSIONS.has(uri)) };
  }
  return { name: '', active: [] };
}
