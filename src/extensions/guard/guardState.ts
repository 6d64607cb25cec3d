/**
 * What a guard knows beside its file, for later: the tools that a person has accepted, orders that are reserved and not paid yet, and
 * approvals that a person was asked for. One file, which its user alone may read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalPlainly } from '../../../protocol/credential/canonical.ts';
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

const GuardState = z.object({
  /** The hash of each tool, by its name, by the name of its server. */
  tools: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  /** By server and reference. */
  orders: z.record(z.string(), Order).default({}),
  /** How often a name that calls give began to stand for another purchase, since the one before was released, say. */
  retries: z.record(z.string(), z.number()).default({}),
  /** The approval that a purchase waits for, by what is called. */
  approvals: z.record(z.string(), z.object({ id: z.string(), askedAt: z.number() })).default({}),
});
type GuardState = z.infer<typeof GuardState>;

/** Longer than a person may take. */
const APPROVAL_LIFE_MS = 24 * 3600 * 1000;
const MOST_ENTRIES = 1000;

export interface StateFile {
  read(): GuardState;
  /** Changes it as a whole or not at all, on what is in the file now. */
  change(change: (state: GuardState) => void): void;
}

/** @param now milliseconds since the epoch */
export function openStateFile(file: string, now: () => number): StateFile {
  const load = (): GuardState => GuardState.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  /** What was read last, and of which file: a change makes another one. */
  let cache: { readonly state: GuardState; readonly version: string } | undefined;
  return {
    read() {
      const found = statSync(file, { throwIfNoEntry: false });
      const version = found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`;
      if (cache?.version !== version) cache = { state: load(), version };
      return cache.state;
    },
    change(change) {
      const state = load();
      change(state);
      for (const [content, { askedAt }] of Object.entries(state.approvals))
        if (askedAt < now() - APPROVAL_LIFE_MS) delete state.approvals[content];
      for (const entries of [state.approvals, state.orders, state.retries]) {
        const names = Object.keys(entries);
        for (const name of names.slice(0, Math.max(0, names.length - MOST_ENTRIES))) delete entries[name];
      }
      const next = `${file}.${randomUUID()}`;
      writeFileSync(next, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
      chmodSync(next, 0o600);
      renameSync(next, file);
    },
  };
}

/** @returns the path of the state beside a guard's file */
export function statePath(file: string): string {
  return `${file.replace(/\.toml$/, '')}.state.json`;
}

/** Of all that a model is told of a tool: another description is another tool. */
export function toolHash({ name, title, description, inputSchema, outputSchema, annotations }: UpstreamTool): string {
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  return sha256(canonicalPlainly(JSON.parse(JSON.stringify(told))));
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
