/** What an extension is: a folder that gives a node parts which it can also do without. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import type { z } from 'zod';
import type { Signer, Suite } from '../../protocol/credential/ed25519.ts';
import type { CallTable, Core } from '../core/core.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Api } from '../documents/openapi/document.ts';
import type { OpenRoute } from '../gates/rest/openRoute.ts';
import type { Route } from '../gates/rest/routes.ts';
import type { Gate, NodeFacts } from '../gates/shell/gate.ts';
import type { RailNotifications } from '../rails/notice.ts';
import type { Rail } from '../rails/rail.ts';
import type { DeliveryKind } from '../usecase/deliveryKind.ts';
import type { Kernel, LogLine } from '../usecase/deps.ts';
import type { Authorizer, Hooks, TaskExchange } from '../usecase/hooks.ts';
import type { PaymentProtocol } from '../usecase/paymentProtocol.ts';
import type { Schedule } from '../usecase/schedule.ts';
import type { Observer } from '../usecase/tracing.ts';
import type { OperationTable } from '../usecase/useCase.ts';
import type { Cosigner, Examiner, Watch } from '../usecase/watch.ts';
import type { Program } from './programHost.ts';
import type { ToolParts } from './tool.ts';

/** What an extension reads of the environment. */
interface ExtensionSettings<Shape extends z.ZodRawShape> {
  readonly variables: Shape;
  /** Those that may stand in a file of their own, which NAME_FILE names. */
  readonly secrets?: readonly (string & keyof Shape)[];
  /** Whether they are enough for the extension to start; always when absent. */
  isConfigured?(values: Values<Shape>): boolean;
  /** What is wrong with settings that are right each by itself: a line each, which begins with `NAME=` and never shows a secret. */
  faults?(values: Values<Shape>): readonly string[];
  /** What an operator sets where the extension is to start, as a phrase. */
  readonly remedy?: string;
}

type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> & {
  readonly AP2_ENV: 'sandbox' | 'production';
  /** Whether what its settings name may be at a private address, as webhooks may. */
  readonly WEBHOOK_ALLOW_PRIVATE: boolean;
};

/** What a service behind an extension answers to a question that changes nothing there. */
export interface ServiceCheck {
  /** `refused` where it answers and will not work with these settings. */
  readonly state: 'ok' | 'refused' | 'unreachable';
  /** The setting that it refuses. */
  readonly setting?: string;
  /** One sentence. */
  readonly message: string;
  /** What to set, or to run; missing where nothing is wrong. */
  readonly remedy?: string;
}

export interface Extension<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** By which the setting EXTENSIONS names it, and the name of its folder. */
  readonly name: string;
  readonly settings?: ExtensionSettings<Shape>;
  /** The names of the rails that it has once it is configured: the first extension of the list that has one gives it. */
  readonly rails?: readonly string[];
  /** What its rails post to the node. */
  readonly notifications?: RailNotifications;
  /** Addresses of a gate that it answers itself, in a protocol of its own. */
  readonly doors?: readonly Door[];
  /** What can be asked of a node with it, by name. */
  readonly operations?: OperationTable;
  /** By which paths of the facade its operations are served. */
  readonly routes?: readonly Route[];
  /** What documents tell of its operations, which is loaded when it is asked: an example of each. */
  documents?(): Promise<Pick<Api, 'examples'> & Partial<Pick<Api, 'inputs' | 'outputs'>>>;
  /** What is done from time to time while a node serves with it, where it does not start too. */
  readonly schedules?: readonly Schedule[];
  /** What its part in a gate asks of the core, by names that no other call has. */
  readonly calls?: CallTable;
  /** Its tools for models, which are loaded when a model comes. */
  tools?(): Promise<Partial<ToolParts>>;
  /** Its routes without a use case behind them; at a path of the kernel's in place of that one. */
  openRoutes?(facts: NodeFacts, core: Core): readonly OpenRoute[];
  /** The public keys that it signs HTTP requests with, as JSON Web Keys: profiles of the node name them beside its own. */
  requestKeys?(node: SigningNode): readonly JWK[];
  /** What the core tells its routes and doors, as data: a gate has no key to sign with. */
  facts?(node: SigningNode): unknown;
  /** What the node's first page names, by the path. */
  readonly links?: Readonly<Record<string, string>>;
  /** A line of llms.txt: how a model connects by it. */
  guide?(baseUrl: string): string;
  /** Its programs beside a node, by the names of their commands. */
  readonly programs?: Readonly<Record<string, Program>>;
  /** True where it asks others over the network: it does not start for a command that works on the data folder alone. */
  readonly asksOthers?: true;
  /** Asks the service behind it, at the start of a node and for the doctor. */
  check?(values: Values<Shape>): Promise<ServiceCheck>;
  /** Looks at what is stored, for the doctor and for the health that a node shows of itself. */
  examine?(values: Values<Shape>, ...asked: Parameters<Examiner>): ReturnType<Examiner>;
  /** Opens what sends traces and metrics, before all else, in the thread of the core and in that of a gate. */
  observe?(values: Values<Shape>, process: ObservedProcess): Promise<Observer>;
  start?(kernel: Kernel, values: Values<Shape>): Parts | Promise<Parts>;
}

/** What a node signs with, and says of itself. */
export interface SigningNode {
  readonly issuer: Signer;
  readonly suite: Suite;
  /** What else it signs with is derived from its root key. */
  readonly sealer: Pick<Sealer, 'derive'>;
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** Of this program. */
  readonly version: string;
}

interface Door {
  readonly paths: readonly string[];
  /** Called when it is first asked, since most nodes are not. @param loadTools of the extensions that the node runs with */
  open(
    gate: Gate,
    loadTools: () => Promise<ToolParts>,
  ): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>>;
}

interface ObservedProcess {
  /** Of this program. */
  readonly version: string;
  readonly warn: LogLine;
}

/** What an extension gives a node. */
export interface Parts {
  readonly rails?: readonly Rail[];
  /** What may refuse a purchase besides the policy; asked after the kernel's own, in the order of the list. */
  readonly authorizers?: readonly Authorizer[];
  /** What a task of standard A2A may begin with; the data part of each is named in protocol/extensions.ts. */
  readonly exchanges?: readonly TaskExchange[];
  /** By which protocols a server may ask for money by HTTP, each paid by a rail of its own. */
  readonly protocols?: readonly PaymentProtocol[];
  /** What is told of calls, decisions and outcomes, after the kernel's own. */
  readonly hooks?: Partial<EventHooks>;
  /** What is done from time to time while a node serves, by what was made at the start. */
  readonly schedules?: readonly Schedule[];
  /** What is delivered besides the webhooks of owners. What is due to a subscription that none of them knows waits, and nothing new is queued for it. */
  readonly deliveries?: readonly DeliveryKind[];
  /** What it has found, and tells where a node says what needs a person. */
  readonly watches?: readonly Watch[];
  /** Who has a checkpoint signed before it is handed out. */
  readonly cosigners?: readonly Cosigner[];
  /** What its operations need besides the kernel; they find it by the extension's name in `operations.services`. */
  readonly services?: object;
}

export type EventHooks = Omit<Hooks, 'authorizers' | 'exchanges' | 'protocols'>;

/** Gives an extension the types of its own settings, which the list does not know, and keeps those of its operations. */
export function extension<Shape extends z.ZodRawShape, Operations extends OperationTable = Record<never, never>>(
  given: Extension<Shape> & { readonly operations?: Operations },
): Extension & { readonly operations: Operations } {
  return { operations: {}, ...given } as unknown as Extension & { readonly operations: Operations };
}
