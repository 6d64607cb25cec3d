/**
 * What a model was told of the tools that a person has accepted, so that a change is shown as a difference. It stands beside the file of the
 * state, which has the hashes: a text that is lost is kept again when its server lists the tool as it was accepted.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type StateFile, sha256, toolText } from './guardState.ts';
import type { UpstreamTool } from './rules/readCall.ts';

/** Of one tool, and of all together, in characters. */
const MOST_TEXT = 200_000;
const MOST_TEXTS = 4_000_000;

/** By their hashes. */
const Texts = z.record(z.string(), z.string());

export class AcceptedTexts {
  readonly #file: string;
  readonly #state: StateFile;
  readonly #log: (line: string) => void;
  #texts: Map<string, string>;

  /** @param stateFile the path of the guard's state */
  constructor(stateFile: string, state: StateFile, log: (line: string) => void) {
    this.#file = stateFile.replace(/\.state\.json$/, '.tools.json');
    this.#state = state;
    this.#log = log;
    this.#texts = this.#read();
  }

  /** @returns what was accepted of a tool; undefined where that is not known, or too long to be kept */
  of(server: string, tool: string): string | undefined {
    const hash = ownMember(ownMember(this.#state.read().tools, server), tool);
    return hash === undefined ? undefined : this.#texts.get(hash);
  }

  /** A server has listed its tools: those that are as they were accepted are kept. What fails in it stops no call. */
  keep(server: string, tools: readonly UpstreamTool[]): void {
    const accepted = ownMember(this.#state.read().tools, server);
    const missing = tools.filter(({ name }) => !this.#texts.has(ownMember(accepted, name) ?? ''));
    const found = missing.flatMap((tool): [string, string][] => {
      const text = toolText(tool);
      const hash = sha256(text);
      return text.length <= MOST_TEXT && hash === ownMember(accepted, tool.name) ? [[hash, text]] : [];
    });
    if (found.length === 0) return;
    try {
      this.#write(found);
    } catch (error) {
      this.#log(`what was accepted of ${server} is not kept for comparison: ${(error as Error).message}`);
    }
  }

  /** Other guards may share the file: what one of them loses of another's is kept again. */
  #write(found: readonly [string, string][]): void {
    const inUse = new Set(Object.values(this.#state.read().tools).flatMap((tools) => Object.values(tools)));
    const known = new Map([...this.#read(), ...this.#texts].filter(([hash]) => inUse.has(hash)));
    const size = known.size;
    let left = [...known.values()].reduce((sum, { length }) => sum - length, MOST_TEXTS);
    for (const [hash, text] of found) {
      if (text.length > left) continue;
      left -= text.length;
      known.set(hash, text);
    }
    this.#texts = known;
    if (known.size === size) return;
    const next = `${this.#file}.${randomUUID()}`;
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(next, this.#file);
  }

  /** What is no such text is left out: it would be shown as what a person has accepted. */
  #read(): Map<string, string> {
    try {
      const texts = Texts.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return new Map(Object.entries(texts).filter(([hash, text]) => sha256(text) === hash));
    } catch {
      return new Map();
    }
  }
}

function ownMember<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
