/**
 * What a guard knows beside its file, for later: the tools that a person has accepted, orders that are reserved and not paid yet,
 * approvals that a person was asked for, and what the node is to be told of calls. One file, which its user alone may read, and which
 * several guards may share.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { canonicalPlainly } from '../../../protocol/credential/canonical.ts';
import { whileLocked } from './fileLock.ts';
import { CallClaim, type OpenCalls, openCallFolder } from './openCalls.ts';
import type { UpstreamTool } from './rules/readCall.ts';

const Order = z.object({
  /** Undefined once its reservation has ended. */
  mandateId: z.string().optional(),
  /** When the reservation ends, in milliseconds since the epoch. */
  endsAt: z.number(),
  reservedMinor: z.number(),
  /** What the order itself says that it costs. */
  amountMinor: z.number(),
  currency: z.string(),
  merchant: z.string(),
});
export type HeldOrder = z.infer<typeof Order>;

/** What became of a reservation, as the node is told. */
const CallOutcome = z.union([
  z.object({
    kind: z.literal('commit'),
    /** In units of the currency; all that was reserved when absent. */
    amount: z.number().optional(),
    evidence: z.object({
      kind: z.literal('confirmation'),
      sha256: z.string(),
      reference: z.string(),
      occurredAt: z.string(),
    }),
  }),
  z.object({ kind: z.literal('release'), reason: z.enum(['not_paid', 'declined', 'abandoned']) }),
]);
export type CallOutcome = z.infer<typeof CallOutcome>;

const SentCall = z.object({
  outcome: CallOutcome,
  /** Under which the node counts it once, however often it is told. */
  key: z.string(),
  /** When it is told next, in milliseconds since the epoch. */
  dueAt: z.number(),
  /** How often the node was asked in vain. */
  tries: z.number(),
  /** Under which the call itself names the purchase, hashed. */
  named: z.string().optional(),
  claim: CallClaim.optional(),
});
export type SentCall = z.infer<typeof SentCall>;

const GuardState = z.object({
  /** The hash of each tool, by its name, by the name of its server. */
  tools: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  /** By server and reference. */
  orders: z.record(z.string(), Order).default({}),
  /** How often a name that calls give began to stand for another purchase, since the one before was released, say. */
  retries: z.record(z.string(), z.number()).default({}),
  /** The approval that a purchase waits for, by what is called. */
  approvals: z.record(z.string(), z.object({ id: z.string(), askedAt: z.number() })).default({}),
  /** Calls that were answered, by the mandate of their reservation, until the node knows what became of them. */
  calls: z.record(z.string(), SentCall).default({}),
});
export type GuardState = z.infer<typeof GuardState>;

/** Longer than a person may take. */
const APPROVAL_LIFE_MS = 24 * 3600 * 1000;
const MOST_ENTRIES = 1000;

export interface StateFile {
  read(): GuardState;
  /**
   * Changes it as a whole or not at all, on what is in the file now.
   * @param isLasting whether it outlasts a loss of power once this returns, and not the end of the process alone; true when absent
   * @throws Error where that cannot be written
   */
  change(change: (state: GuardState) => void, isLasting?: boolean): void;
  readonly openCalls: OpenCalls;
}

/** @param now milliseconds since the epoch */
export function openStateFile(file: string, now: () => number): StateFile {
  const load = (): GuardState => GuardState.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  /** What was read last, and of which file: a change makes another one. */
  let cache: { readonly state: GuardState; readonly version: string } | undefined;
  return {
    openCalls: openCallFolder(`${file}.calls`),
    read() {
      const found = statSync(file, { throwIfNoEntry: false });
      const version = found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`;
      if (cache?.version !== version) cache = { state: load(), version };
      return cache.state;
    },
    change(change, isLasting = true) {
      const attempt = (isHeld: () => boolean): boolean => {
        const state = load();
        change(state);
        forgetOld(state, now());
        return replaceFile(file, `${JSON.stringify(state, undefined, 2)}\n`, isHeld, isLasting);
      };
      while (!whileLocked(file, attempt));
    },
  };
}

function forgetOld(state: GuardState, now: number): void {
  for (const [content, { askedAt }] of Object.entries(state.approvals))
    if (askedAt < now - APPROVAL_LIFE_MS) delete state.approvals[content];
  // Never what the node is to be told.
  for (const entries of [state.approvals, state.orders, state.retries]) {
    const names = Object.keys(entries);
    for (const name of names.slice(0, Math.max(0, names.length - MOST_ENTRIES))) delete entries[name];
  }
}

/** After a loss of power the file is whole, as it is now or was before; as it is now where it is lasting. @returns whether it may */
function replaceFile(file: string, text: string, isAllowed: () => boolean, isLasting: boolean): boolean {
  const next = `${file}.${randomUUID()}`;
  const written = openSync(next, 'wx', 0o600);
  try {
    chmodSync(next, 0o600);
    writeFileSync(written, text);
    fsyncSync(written);
  } finally {
    closeSync(written);
  }
  if (!isAllowed()) {
    unlinkSync(next);
    return false;
  }
  renameSync(next, file);
  if (!isLasting || process.platform === 'win32') return true;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return true;
}

/** @returns the path of the state beside a guard's file */
export function statePath(file: string): string {
  return `${file.replace(/\.toml$/, '')}.state.json`;
}

/** All that a model is told of a tool: another description is another tool. */
export function toolText({ name, title, description, inputSchema, outputSchema, annotations }: UpstreamTool): string {
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  return canonicalPlainly(JSON.parse(JSON.stringify(told)));
}

export function toolHash(tool: UpstreamTool): string {
  return sha256(toolText(tool));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How the tools of a server differ from those that a person has accepted. */
export interface ToolChanges {
  /** Whether none of it was seen before: then all that is there is accepted. */
  readonly isFirst: boolean;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

export function compareTools(state: GuardState, upstream: string, tools: readonly UpstreamTool[]): ToolChanges {
  const accepted = Object.hasOwn(state.tools, upstream) ? state.tools[upstream] : undefined;
  if (accepted === undefined) return { isFirst: true, added: [], changed: [], gone: [] };
  const names = new Set(tools.map(({ name }) => name));
  return {
    isFirst: false,
    added: tools.flatMap(({ name }) => (Object.hasOwn(accepted, name) ? [] : [name])),
    changed: tools.flatMap((tool) =>
      Object.hasOwn(accepted, tool.name) && accepted[tool.name] !== toolHash(tool) ? [tool.name] : [],
    ),
    gone: Object.keys(accepted).filter((name) => !names.has(name)),
  };
}

export function acceptTools(file: StateFile, upstream: string, tools: readonly UpstreamTool[]): void {
  file.change((state) => {
    state.tools[upstream] = Object.fromEntries(tools.map((tool) => [tool.name, toolHash(tool)]));
  });
}

/** As it is now, beside what is accepted of its server. */
export function acceptTool(file: StateFile, upstream: string, tool: UpstreamTool): void {
  file.change((state) => {
    const tools = Object.hasOwn(state.tools, upstream) ? state.tools[upstream] : {};
    state.tools[upstream] = { ...tools, [tool.name]: toolHash(tool) };
  });
}
