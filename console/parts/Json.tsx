/** A record as it went over the wire. */

export function Json({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre class="json" tabIndex={0}>
      {text}
    </pre>
  );
}
