/** Which node this is, and whether money moves there. */
import { HOME, IS_SANDBOX } from '../node/here.ts';

export function Brand() {
  return (
    <p class="brand">
      <img src="../pages/mark.svg" alt="" width="36" height="36" />
      <span>
        Countersign <bdi class="node">{HOME.host}</bdi>
      </span>
      {IS_SANDBOX && (
        <strong class="sandbox">
          Sandbox<span class="unseen">: no money moves</span>
        </strong>
      )}
    </p>
  );
}
