/** The way to more records of a list. With the last of them it goes, and leaves the focus to the first one that it brought. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../Button.tsx';
import { stopIn } from './walk.ts';

interface MoreButtonProps {
  readonly children?: ComponentChildren;
  onMore(): void;
}

interface MoreRequest {
  readonly button: Element;
  readonly list: Element;
  /** How many records there were. */
  readonly count: number;
}

const recordsIn = (list: Element) => list.querySelectorAll('tr[data-key], .rows > li');

export function MoreButton({ children = 'Show more', onMore }: MoreButtonProps) {
  const asked = useRef<MoreRequest>(undefined);
  const more = () => {
    const { activeElement: button } = document;
    const list = button?.parentElement;
    if (button !== null && list != null) asked.current = { button, list, count: recordsIn(list).length };
    onMore();
  };
  useLayoutEffect(() => {
    return () => {
      if (asked.current === undefined || document.activeElement !== asked.current.button) return;
      const { list, count } = asked.current;
      // The records stand there once all of the list is drawn.
      queueMicrotask(() => {
        const first = recordsIn(list)[count];
        if (first !== undefined) stopIn(first)?.focus();
      });
    };
  }, []);
  return <Button onClick={more}>{children}</Button>;
}
