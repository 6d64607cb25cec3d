/** A moment: said in words, and to the second when it is pointed at or tapped. */
import { useState } from 'preact/hooks';
import { minutes } from './clock.ts';
import { clockText, exactText, momentText } from './moment.ts';

interface WhenProps {
  readonly time: string;
  /** Within a link a tap follows the link. */
  readonly inLink?: boolean;
}

/** The time of a day that stands beside. */
export function Clock({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={exactText(time)}>
      {clockText(time)}
    </time>
  );
}

export function When({ time, inLink = false }: WhenProps) {
  const [isExact, setExact] = useState(false);
  const exact = exactText(time);
  const text = (
    <time dateTime={time} title={exact}>
      {isExact ? exact : momentText(time, new Date(minutes.value))}
    </time>
  );
  if (inLink) return <span class="when">{text}</span>;
  return (
    <button type="button" class="when" onClick={() => setExact(!isExact)}>
      {text}
    </button>
  );
}
