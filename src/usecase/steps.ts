/**
 * A request's steps through a gate, as a list. Each step is given what the steps before it found, and adds what it
 * finds, so that a step in the wrong place does not compile, and the order can be read and tested. A step refuses a
 * request by throwing a Fault, and answers it early with `reply`.
 */

/** The result of a step that answers the request; later steps do not run. */
class EarlyReply<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** Answers the request at this step. */
export function reply<Result>(result: Result): EarlyReply<Result> {
  return new EarlyReply(result);
}

interface Steps<Start extends object, Context extends object, Result> {
  /** Appends a step that finds something. @param step is given all that is known by then */
  find<Finds extends object>(
    name: string,
    step: (context: Context) => Finds | EarlyReply<Result> | Promise<Finds | EarlyReply<Result>>,
  ): Steps<Start, Context & Finds, Result>;
  /** Appends a step that finds nothing: it passes, or throws. */
  check(name: string, step: (context: Context) => unknown): Steps<Start, Context, Result>;
  /**
   * Appends the steps of the core, which may run in another thread: from here to its answer nothing of the gate is done.
   * @param list is run there; its names stand here, so that the whole way can be read
   * @param ask asks the core by a call, and finds what it answers
   */
  core<Finds extends object>(
    list: Pick<Pipeline<never, unknown>, 'names'>,
    ask: (context: Context) => Promise<Finds>,
  ): Steps<Start, Context & Finds, Result>;
  /** Completes the list. @param last the final step, which answers the request */
  finish(name: string, last: (context: Context) => Result | Promise<Result>): Pipeline<Start, Result>;
}

export interface Pipeline<Start extends object, Result> {
  /** The names of the steps, in their order. */
  readonly names: readonly string[];
  /** Runs the steps for one request. @throws what a step throws */
  run(start: Start): Promise<Result>;
}

interface Step {
  /** Several of the steps that the core runs. */
  readonly names: readonly string[];
  readonly finds: boolean;
  readonly run: (context: object) => unknown;
}

/** Begins a list of steps for requests that arrive as `Start` and end as `Result`. */
export function steps<Start extends object, Result>(): Steps<Start, Start, Result> {
  return listOf<Start, Start, Result>([]);
}

function listOf<Start extends object, Context extends object, Result>(
  list: readonly Step[],
): Steps<Start, Context, Result> {
  return {
    find: (name, step) => listOf([...list, { names: [name], finds: true, run: step as Step['run'] }]),
    check: (name, step) => listOf([...list, { names: [name], finds: false, run: step as Step['run'] }]),
    core: (core, ask) =>
      listOf([...list, { names: core.names.map((name) => `core: ${name}`), finds: true, run: ask as Step['run'] }]),
    finish(name, last) {
      // A class of its own: V8 gives objects of a class room for all members that its first objects got, so that each step's
      // finds go into the object, and not into a list beside it that is copied as it grows.
      class Facts {}
      return {
        names: [...list.flatMap((step) => step.names), name],
        async run(start) {
          const context = Object.assign(new Facts(), start);
          for (const step of list) {
            const given = step.run(context);
            // Most steps return at once; awaiting those as well would add a microtask to each.
            const found = given instanceof Promise ? await given : given;
            if (found instanceof EarlyReply) return found.result as Result;
            if (step.finds) Object.assign(context, found);
          }
          return last(context as unknown as Context);
        },
      };
    },
  };
}
