/** What a command answers on standard output: JSON for programs, text for people. */

/** @param facts what --json prints, on one line @param text what a person reads */
export function print(options: { readonly json?: boolean }, facts: unknown, text: string): void {
  console.log(options.json === true ? JSON.stringify(facts) : text);
}
