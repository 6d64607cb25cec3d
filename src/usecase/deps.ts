/** What use cases are given: the store, the keys, the rails, the clock and the randomness of one node. */

import type { Signer, Suite } from '../../protocol/credential/ed25519.ts';
import type { IssuerRotation } from '../../protocol/evidence/rotation.ts';
import type { PublicJwk } from '../../protocol/jwk/jwk.ts';
import type { AccessTokens } from '../access/accessToken.ts';
import type { KeyUse } from '../access/apiKey.ts';
import type { LoginProvider } from '../access/loginProvider.ts';
import type { RateLimiter } from '../access/rateLimit.ts';
import type { ReceiptJwk } from '../crypto/receiptKey.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Rail } from '../rails/rail.ts';
import type { LongWork } from '../store/longWork.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryKind } from './deliveryKind.ts';
import type { Hooks } from './hooks.ts';
import type { Metrics } from './metrics.ts';
import type { Schedule } from './schedule.ts';
import type { CheckpointKeeper, PolicyCache, StatusLists, SubscriptionCache, WakeSignal } from './services.ts';
import type { Tracing } from './tracing.ts';
import type { OperationTable } from './useCase.ts';
import type { Cosigner, Examiner, Watch } from './watch.ts';

/** What is known of an SQLite database's file. */
export interface StoreFile {
  /** Where it lies; absent where the database is in memory, or another one. */
  readonly file?: string;
  /** SQLite's own words where a page of it is damaged. */
  damage: string | undefined;
}

/** What an extension is given of the node that it starts with, and every operation may use. */
export interface Kernel {
  readonly store: Store;
  readonly suite: Suite;
  readonly issuer: Signer;
  /** Milliseconds since the epoch. */
  clock(): number;
  newId(prefix: string): string;
  /** `prefix` and 32 unpredictable bytes as base64url. */
  newToken(prefix: string): string;
  /** The hash under which a secret token is stored. */
  hashToken(token: string): string;
  readonly settings: Settings;
  /** Within a script, only what writeLogged gives. */
  readonly log: Log;
  readonly metrics: Metrics;
  readonly policies: PolicyCache;
  /** Seals secrets before they are stored. */
  readonly sealer: Sealer;
  readonly evidence: EvidenceParts;
  readonly wake: WakeSignals;
  /** By name; the first is used where a policy names none. */
  readonly rails: ReadonlyMap<string, Rail>;
  /** Aborted when the node is asked to stop, which ends long polls. */
  readonly stopping: AbortSignal;
}

export interface Deps extends Kernel {
  readonly operations: Operations;
  readonly keys: Keys;
  readonly access: Access;
  readonly people: People;
  readonly data: Data;
  readonly memory: ProcessMemory;
  /** Undefined where no collector is configured. */
  readonly tracing?: Tracing | undefined;
}

/** What events are recorded with, and what watches over them. */
interface EvidenceParts {
  /** How the issuer's former keys were retired, oldest first; what they signed until then remains valid. */
  readonly rotations: readonly IssuerRotation[];
  readonly subscriptions: SubscriptionCache;
  /** The last checkpoints that were signed, kept outside the database. */
  readonly checkpoints: CheckpointKeeper;
  /** Who has them cosigned before they are handed out, the first one first. */
  readonly cosigners: readonly Cosigner[];
}

interface WakeSignals {
  /** Wakes the worker that delivers webhooks, with the id of a subscription. */
  readonly deliveries: WakeSignal;
  /** Wakes what an extension does from time to time, by the name of its schedule. */
  readonly schedules: WakeSignal;
}

interface Operations {
  /** What is told of what happens, in its commit. */
  readonly hooks: Hooks;
  /** Every use case by name, for those that play others. */
  readonly table: OperationTable;
  /** What extensions do from time to time. */
  readonly schedules: readonly Schedule[];
  /** What is delivered besides the webhooks of owners. */
  readonly deliveries: readonly DeliveryKind[];
  /** What extensions find where the health page looks. */
  readonly examiners: readonly Examiner[];
  /** What extensions have found. */
  readonly watches: readonly Watch[];
  /** What each extension has made for its own operations, by its name. */
  readonly services: ReadonlyMap<string, object>;
}

/** Keys besides the issuer's: further ones of the node, and those of merchants. */
interface Keys {
  /** Keys that only the sandbox has and only the sandbox trusts. */
  readonly demo: DemoKeys | undefined;
  /** Signs receipts: ES256, with the public key that they verify with. */
  readonly receiptSigner: ReceiptSigner;
  /** By which the database tells this node's root key from another one. */
  readonly rootMark: string;
  /** The key that signs for a `did:web` merchant, or undefined when it cannot be had. */
  ofMerchant(did: string): Promise<string | undefined>;
  /** The public keys at an address that have an id; none where they cannot be had. */
  at(url: string, kid: string): Promise<readonly PublicJwk[]>;
}

/** Who may call, and how often. */
interface Access {
  readonly tokens: AccessTokens;
  readonly keyUse: KeyUse;
  readonly limits: RateLimiter;
  /** For what comes from this machine itself: in the sandbox a person who explores it has more calls than others. */
  readonly localLimits: RateLimiter;
  /** A new API key of this environment. */
  newApiKey(): string;
}

interface People {
  /** The identity provider that people log in through, where one is configured. */
  readonly login: LoginProvider | undefined;
  /** The DID of a person; its key is derived from the root key. */
  didOf(userId: string): string;
  /** The secret that signs the live tail of a tenant's events; derived, so that it stays the same. */
  listenSecret(tenantId: string): string;
}

/** Where the data are kept. */
interface Data {
  readonly longWork: LongWork;
  readonly file: StoreFile;
  /** The room where the data is kept; undefined where it is kept elsewhere. */
  freeSpace(): { readonly bytes: number; readonly folder: string } | undefined;
  /** Backups of the database's file; undefined where it is no file of this node's. */
  readonly backups: Backups | undefined;
}

/** What a node keeps to itself while it runs, and has anew at each start. */
interface ProcessMemory {
  /** How many streams of changes each caller has open here, by kind and id. */
  readonly openStreams: Map<string, number>;
  /** How many polls of each approval are held here. */
  readonly openPolls: Map<string, number>;
  readonly statusLists: StatusLists;
}

/** What it takes to record an event, with the webhook events of the same meaning. */
export type EventDeps = Pick<Deps, 'suite' | 'issuer' | 'evidence' | 'newId' | 'settings' | 'wake' | 'tracing'>;

interface ReceiptSigner {
  readonly jwk: ReceiptJwk;
  /** With the former keys, whose receipts still verify. */
  readonly published: readonly ReceiptJwk[];
  /** r and s, as JWS has them. */
  sign(content: Uint8Array): Uint8Array;
}

/** Backups of a data folder. */
export interface Backups {
  /** Where what belongs to them is kept: within the data folder, and in no backup. */
  readonly folder: string;
  /** When the last one was made by a command or downloaded, in milliseconds since the epoch; undefined where none is known. */
  lastAt(): number | undefined;
  /** The one that is being made, or could not be made; `NONE` once one is whole. */
  attempt(): BackupAttempt;
  /** The one that is kept to be downloaded. */
  latest(): BackupFile | undefined;
  /** Has one made, unless one is being made already. */
  start(): BackupAttempt;
  /**
   * The bytes of one that was kept a moment ago; undefined where another has taken its place, or it was removed.
   * @param onEnd told once all of it was read, and not where a reader goes before
   */
  read(archive: BackupFile, onEnd?: () => void): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Notes that an archive lies somewhere else than on this node's disk. */
  noteKept(archive: Pick<BackupFile, 'createdAt'>): void;
  /**
   * Restores an archive into a folder of its own with the node's keys, in a process beside the node, and removes that again.
   * @param file below `folder`
   * @returns what was in it, once each row was counted and each chain verified
   * @throws Error that says why it cannot be restored
   */
  tryRestore(file: string): Promise<Pick<BackupFile, 'events' | 'rows'>>;
}

export type BackupAttempt =
  | { readonly state: 'NONE' }
  /** @property done how many pages of how many were copied */
  | { readonly state: 'RUNNING'; readonly startedAt: number; readonly done: number; readonly total: number }
  | { readonly state: 'FAILED'; readonly startedAt: number; readonly reason: string };

export interface BackupFile {
  readonly fileName: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** In the chains of all tenants. */
  readonly events: number;
  /** Of all tables. */
  readonly rows: number;
  readonly schemaVersion: number;
}

/** Writes one line for an event. No facts of a person's purchase, no secrets. */
export type LogLine = (event: string, facts: Readonly<Record<string, unknown>>) => void;

export interface Log {
  /** What happened as it should. */
  readonly info: LogLine;
  /** What an operator should look at. */
  readonly warn: LogLine;
  /** What failed and should not have. */
  readonly error: LogLine;
}

/** Every DID this node has signed as, the oldest first. */
export function issuersOf({ evidence, issuer }: Pick<Deps, 'evidence' | 'issuer'>): readonly string[] {
  return [...evidence.rotations.map(({ from }) => from), issuer.did];
}

/** The DID that the evidence chains begin with. @param deps without rotations, the issuer is the first one */
export function firstIssuer(deps: {
  readonly issuer: Pick<Signer, 'did'>;
  readonly evidence?: { readonly rotations: readonly Pick<IssuerRotation, 'from'>[] };
}): string {
  return deps.evidence?.rotations[0]?.from ?? deps.issuer.did;
}

export interface DemoKeys {
  /** Signs demo carts; bound to every domain in the sandbox. */
  readonly merchant: Signer;
  /** Signs demo presence proofs. */
  readonly presence: Signer;
}

/** Time limits for rails, in seconds. */
interface RailSettings {
  readonly timeoutSeconds: number;
  /** Waits between tries that got no answer; the last one repeats. */
  readonly retrySeconds: readonly number[];
  /** How long the same request may be sent again: less than the day for which rails remember a key. */
  readonly resendSeconds: number;
  /** After this, an attempt unknown to the rail has failed, and one that cannot be looked up is flagged for a person. */
  readonly giveUpSeconds: number;
}

interface Settings {
  /** Of this program. */
  readonly version: string;
  /** Names this process among the nodes of one deployment. */
  readonly nodeId: string;
  readonly environment: 'sandbox' | 'production';
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  readonly intentTtlSeconds: number;
  readonly approvalTtlSeconds: number;
  /** What the `aud` of a chain's last mandate may be. */
  readonly mandateAudiences: readonly string[];
  readonly rail: RailSettings;
  /** How long to wait before each attempt at a webhook delivery. */
  readonly webhookRetrySeconds: readonly number[];
  /** Whether webhooks may go to private addresses, and over http. */
  readonly webhookAllowPrivate: boolean;
  /** Who may enter a production node by the identity provider, in lower case. */
  readonly people: {
    readonly ownerEmail: string | undefined;
    readonly allowedEmails: readonly string[];
    readonly allowedDomains: readonly string[];
  };
}
