/** I8: every request ends, once no fault prevents it, and ends in an answer that is not the node's own failure. */
import { type Happening, UNHEARD, type Violation } from '../history.ts';
import type { Asked, Calls } from './calls.ts';
import { type Law, violated } from './law.ts';
import { sayCall } from './sayHappening.ts';

export class EndLaw implements Law {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'answered' && happening.status >= 500 && happening.status !== 503) {
      const asked = this.#calls.find(happening.id);
      const who = asked === undefined ? `Request ${happening.id}` : sayCall(asked);
      const sentence = `${who} was answered with ${happening.status}: ${JSON.stringify(happening.body)}.`;
      return [violated('I8', sentence, asked?.place, place)];
    }
    if (happening.kind === 'unanswered' && happening.why === UNHEARD) {
      const asked = this.#calls.find(happening.id) as Asked;
      return [violated('I8', `${sayCall(asked)} got no answer on a connection that stayed.`, asked.place, place)];
    }
    return happening.kind === 'quiet' ? this.openAt(place) : [];
  }

  /** What still waits though nothing happens any more. */
  openAt(place: number | undefined): readonly Violation[] {
    return [...this.#calls.all()]
      .filter(({ end }) => end === undefined)
      .map((asked) => violated('I8', `${sayCall(asked)} has no answer, though all is at rest.`, asked.place, place));
  }
}
