/**
 * Which functions of src/ and protocol/ this process enters, and in what order. V8's precise coverage says which; it knows no order,
 * so each of them gets a breakpoint at its beginning then, whose condition notes the entry and never holds.
 */
import { type Debugger, type Profiler, Session } from 'node:inspector';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const COUNTED = /^(src|protocol)\//;
/** What tsx and V8 add to the functions that are in the source. */
const ADDED = new Set(['__name', '<instance_members_initializer>', '<static_initializer>']);
const NOTE = 'noteFileEntered';

interface EnteredFunction {
  readonly file: string;
  readonly name: string;
  readonly scriptId: string;
  /** Where it begins and ends in what V8 compiled. */
  readonly range: Profiler.CoverageRange;
}

export type EnteredFunctions = ReadonlyMap<string, EnteredFunction>;

export interface EntryRecorder {
  /** The functions that are entered while it runs, by place. */
  functionsDuring(run: () => Promise<void>): Promise<EnteredFunctions>;
  /** What the next `filesDuring` tells of. */
  watch(functions: EnteredFunctions): void;
  /** Their files in the order in which they are entered while it runs, twice in a row for two functions of one. */
  filesDuring(run: () => Promise<void>): Promise<readonly string[]>;
}

export function recordEntries(): EntryRecorder {
  const session = new Session();
  session.connect();
  const sources = new Map<string, string[]>();
  const breakpoints: string[] = [];
  let files: string[] = [];
  Object.assign(globalThis, { [NOTE]: (file: string) => void files.push(file) });
  ask('Debugger.enable');
  ask('Debugger.setBreakpointsActive', { active: false });
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async functionsDuring(run) {
      taken();
      await run();
      return taken();
    },
    watch(functions) {
      for (const breakpointId of breakpoints.splice(0)) ask('Debugger.removeBreakpoint', { breakpointId });
      for (const each of functions.values()) breakAt(each);
    },
    async filesDuring(run) {
      files = [];
      ask('Debugger.setBreakpointsActive', { active: true });
      await run();
      ask('Debugger.setBreakpointsActive', { active: false });
      return files;
    },
  };

  /** In this thread each question is answered before `post` returns. */
  function ask<Answer>(method: string, params: object = {}): Answer {
    let failed: Error | null = null;
    let answer: object | undefined;
    session.post(method, params, (error, result) => {
      failed = error;
      answer = result;
    });
    if (failed !== null) throw new Error(`${method} ${JSON.stringify(params)}`, { cause: failed });
    return answer as Answer;
  }

  /** What was entered since it was last asked. */
  function taken(): EnteredFunctions {
    const { result } = ask<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
    const entered = new Map<string, EnteredFunction>();
    for (const { url, scriptId, functions } of result) {
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!COUNTED.test(file)) continue;
      for (const { functionName: name, ranges } of functions) {
        const [range] = ranges;
        if (range === undefined || range.count === 0 || ADDED.has(name)) continue;
        entered.set(`${file}:${range.startOffset}`, { file, name, scriptId, range });
      }
    }
    return entered;
  }

  function breakAt({ file, scriptId, range }: EnteredFunction): void {
    const {
      locations: [location],
    } = ask<Debugger.GetPossibleBreakpointsReturnType>('Debugger.getPossibleBreakpoints', {
      start: placeOf(scriptId, range.startOffset),
      end: placeOf(scriptId, range.endOffset),
      restrictToFunction: true,
    });
    // V8 stops nowhere in an arrow function that gives back a part of its parameter, `({ value }) => value`.
    if (location === undefined) return;
    const condition = `${NOTE}(${JSON.stringify(file)})`;
    const set = { location, condition };
    breakpoints.push(ask<Debugger.SetBreakpointReturnType>('Debugger.setBreakpoint', set).breakpointId);
  }

  function placeOf(scriptId: string, offset: number): Debugger.Location {
    let lines = sources.get(scriptId);
    if (lines === undefined) {
      const { scriptSource } = ask<Debugger.GetScriptSourceReturnType>('Debugger.getScriptSource', { scriptId });
      lines = scriptSource.split('\n');
      sources.set(scriptId, lines);
    }
    let left = offset;
    for (const [lineNumber, { length }] of lines.entries()) {
      if (left <= length) return { scriptId, lineNumber, columnNumber: left };
      left -= length + 1;
    }
    throw new Error(`Script ${scriptId} ends before ${offset}.`);
  }
}
