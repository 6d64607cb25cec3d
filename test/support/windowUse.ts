/** The use of one window, as a limit that holds would find it. */
import { advanceWindow, listWindowsOf, type WindowUse } from '../../src/store/statements/purchases/velocityWindows.ts';
import type { Script } from '../../src/store/store.ts';

/** @param scope an agent's DID, or POLICY_SCOPE */
export function* useOf(tenantId: string, scope: string, windowMs: number, now: number): Script<WindowUse> {
  return yield* advanceWindow(yield* listWindowsOf(tenantId, scope), { tenantId, scope, windowMs }, now);
}
