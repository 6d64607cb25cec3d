/** Kinds of changes, as the node names them. */

/** Whether a change is of one of these kinds: `payment` is of `PAYMENT_CAPTURED` and of `payment.captured`. */
export function concerns(types: readonly string[], kinds: readonly string[]): boolean {
  const words = types.map((type) => type.toLowerCase().replaceAll('_', '.'));
  return words.some((word) => kinds.some((kind) => word === kind || word.startsWith(`${kind}.`)));
}
