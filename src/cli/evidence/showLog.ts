/** `countersign evidence log`: what a witness needs to know of a chain. */
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { keyNamed, verifierKey } from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

export function showLog(env: NodeJS.ProcessEnv, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    // The node's DID of now, while a chain is called by its first one.
    const { issuer } = await client.showHealth({});
    const { tenantId } = await client.verifyEvidence({ fromSeq: 1, toSeq: 1 });
    const origin = originOf(tenantId);
    const key = verifierKey(nativeSuite(), keyNamed(issuer));
    print(options, { origin, verifierKey: key, did: issuer }, `--log ${origin}=${key}`);
  });
}
