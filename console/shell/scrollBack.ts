/** Scrolls to where a place was left, once it is as long again: its rows come from the node. */

/** Longer than that a person does not wait for it. */
const PATIENCE_MS = 5000;
/** What tells that the person scrolls by themselves. */
const OWN = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** @param top in CSS pixels @returns ends it */
export function scrollBack(top: number): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  const tryIt = () => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 2) end();
  };
  const sizes = new ResizeObserver(tryIt);
  signal.addEventListener('abort', () => sizes.disconnect());
  sizes.observe(document.body);
  for (const type of OWN) addEventListener(type, end, { signal, passive: true });
  setTimeout(end, PATIENCE_MS);
  return end;
}
