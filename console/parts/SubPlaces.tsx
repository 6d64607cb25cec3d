/** A screen of several places: its name, the way to each of them, one of which is here, and what is there. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { may } from '../login/may.ts';
import { place } from '../shell/route.ts';
import type { Screen } from '../shell/screens.ts';
import { Head } from './Head.tsx';

/** Every screen of this node: the shell says which, since it loads them. */
export const Screens = createContext<readonly Screen[]>([]);

interface SubPlacesProps {
  /** The pattern of the screen that they are places of. */
  readonly of: string;
  /** The main button. */
  readonly act?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function SubPlaces({ of, act, children }: SubPlacesProps) {
  const screens = useContext(Screens);
  const { path: current } = place.value;
  const isWithin = (path: string) => current === path || (path !== of && current.startsWith(`${path}/`));
  const places = screens.filter(
    ({ pattern, tab, permission }) =>
      tab !== undefined && (pattern === of || pattern.startsWith(`${of}/`)) && may(permission),
  );
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && here) {
      list.current.scrollLeft = here.offsetLeft - (list.current.clientWidth - here.offsetWidth) / 2;
    }
  }, [current]);
  const title = screens.find(({ pattern }) => pattern === of)?.title ?? '';
  return (
    <>
      <Head title={title}>{act}</Head>
      <ul ref={list} class="places" aria-label={`Places in ${title}`}>
        {places.map(({ pattern, tab }) => (
          <li key={pattern}>
            <a href={`#${pattern}`} aria-current={isWithin(pattern) ? 'page' : undefined}>
              {tab}
            </a>
          </li>
        ))}
      </ul>
      <div class="stack">{children}</div>
    </>
  );
}
