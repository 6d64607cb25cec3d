/** The way to a first purchase where there is none yet: the playground of a sandbox, for who may use it; in production there is none. */
import { may } from '../login/may.ts';
import { HAS_PLAYGROUND } from '../node/here.ts';

export function TryPlayground() {
  if (!HAS_PLAYGROUND || !may('admin')) return null;
  return (
    <p>
      <a class="button second" href="#/build/playground">
        Open the playground
      </a>
    </p>
  );
}
