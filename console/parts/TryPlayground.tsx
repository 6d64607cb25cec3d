/** The way to a first purchase where there is none yet: the playground of a sandbox, for who may use it; in production there is none. */
import { may } from '../login/may.ts';
import { IS_SANDBOX } from '../node/here.ts';

export function TryPlayground() {
  if (!IS_SANDBOX || !may('admin')) return null;
  return (
    <p>
      <a class="button second" href="#/build/playground">
        Open the playground
      </a>
    </p>
  );
}
