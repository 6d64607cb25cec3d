/** Holds the place of what is being loaded, in its size, so that nothing moves when it comes. */

export function Skeleton({ rows, height = 3.5 }: { readonly rows: number; readonly height?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="unseen">Loading…</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="bone" style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}
