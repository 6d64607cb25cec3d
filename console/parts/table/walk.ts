/** The lines of a table by the keyboard: one of them is a stop of Tab, with what can be done in it; arrows lead to the others. */

/** What can be come to in a line. */
export const STOPS = 'a, button, select, input';
/** What leads to the record of a line, or opens it. */
const MAIN = 'td > a, td > [aria-expanded]';

/** Lines that are records; what is opened below one is none. */
function linesOf(table: Element): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>('tr[data-key]')].filter((line) => stopIn(line) !== null);
}

/** @returns where the focus of a record goes */
export function stopIn(line: Element): HTMLElement | null {
  return line.querySelector<HTMLElement>(MAIN) ?? line.querySelector<HTMLElement>(STOPS);
}

/** @param key of a line @returns where its focus goes; undefined where there is no such line */
export function stopOf(table: Element, key: string | undefined): HTMLElement | undefined {
  const line = linesOf(table).find(({ dataset }) => dataset['key'] === key);
  return line && (stopIn(line) ?? undefined);
}

/** Makes one line the stop of the table: that of the key, or the first where there is none such. */
export function rove(table: Element, key: string | undefined): void {
  const lines = linesOf(table);
  const current = lines.find(({ dataset }) => dataset['key'] === key) ?? lines[0];
  for (const line of lines) {
    for (const stop of line.querySelectorAll<HTMLElement>(STOPS)) {
      if (line === current) stop.removeAttribute('tabindex');
      else stop.tabIndex = -1;
    }
  }
}

/** Up and Down lead to the line before and after, Home and End to the first and the last one that is shown. */
export function walk(event: KeyboardEvent): void {
  const at = event.target as Element;
  const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
  // In a choice they choose; with another key the browser does what they are for.
  if (at.matches('select, input') || altKey || ctrlKey || metaKey || shiftKey) return;
  const lines = linesOf(event.currentTarget as Element);
  // What is opened below a line belongs to it.
  const row = at.closest('tr.opened-row')?.previousElementSibling ?? at.closest('tr');
  const here = lines.indexOf(row as HTMLElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: lines.length - 1 }[key];
  const line = next === undefined ? undefined : lines[next];
  if (line === undefined) return;
  event.preventDefault();
  stopIn(line)?.focus();
}
