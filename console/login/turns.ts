/** One at a time, among all tabs of this browser. */

/** Where a browser has no locks (an address without https), each tab is alone. */
export function inTurn<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
  if (!('locks' in navigator)) return act();
  return navigator.locks.request(name, act) as Promise<Value>;
}
