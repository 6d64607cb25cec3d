/** A sleep that others can end. */
export class WakeableSleep {
  /** Ends the sleep at once. */
  interrupt: () => void = () => {};
  /** Ends the sleep if it is one that work ends. */
  wake: () => void = () => {};

  /** @param endedByWork whether `wake` ends it, or `interrupt` alone */
  sleep(milliseconds: number, endedByWork: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, milliseconds));
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      this.wake = endedByWork ? this.interrupt : () => {};
    });
  }
}
