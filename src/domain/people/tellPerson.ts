/** Tells a person of something, by what the extensions of this node have for that: by nothing, where none has. */
import type { PersonNotice } from '../../../protocol/webhook/noticeText.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import type { NoticeReader } from '../../usecase/hooks.ts';

/** @param now milliseconds since the epoch */
export function* tellPerson(
  deps: EventDeps & Pick<Deps, 'operations'>,
  reader: NoticeReader,
  notice: PersonNotice,
  now: number,
): Script<void> {
  for (const tell of deps.operations.hooks.onNotice) yield* tell(deps, reader, notice, now);
}
