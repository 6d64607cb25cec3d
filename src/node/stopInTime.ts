/** Ends a node step by step within one deadline, even where a step waits for a disk, a database or a caller. */

interface StopStep {
  /** What is being waited for, for the operator who has to look for it. */
  readonly what: string;
  run(): Promise<unknown>;
}

/** @throws Error that names the step which was not done in time */
export async function stopInTime(steps: readonly StopStep[], limitMs: number): Promise<void> {
  let waitingFor = '';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = limitMs / 1000;
      const rest = 'Nothing is lost: what was committed is on disk, and the rest is taken up at the next start.';
      reject(
        new Error(`The node did not stop in order within ${seconds} s; it still waited for ${waitingFor}. ${rest}`),
      );
    }, limitMs);
  });
  const inOrder = async () => {
    for (const { what, run } of steps) {
      waitingFor = what;
      await run();
    }
  };
  await Promise.race([inOrder(), late]).finally(() => clearTimeout(timer));
}
