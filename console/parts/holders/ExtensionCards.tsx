/** What extensions show on a screen of the console, below what is its own. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { may } from '../../login/may.ts';
import { Lazy } from '../../shell/Lazy.tsx';
import type { ExtensionCard } from '../../shell/screens.ts';

/** Those of this node: the shell says which, since it loads them. */
export const Cards = createContext<readonly ExtensionCard[]>([]);

interface ExtensionCardsProps {
  /** The pattern of the screen. */
  readonly on: string;
  /** Whose it is. */
  readonly did: string;
}

export function ExtensionCards({ on, did }: ExtensionCardsProps) {
  const cards = useContext(Cards).filter((card) => card.on === on && may(card.permission));
  return (
    <>
      {cards.map(({ load }, index) => (
        <Lazy key={index} load={load} props={{ did }} bare />
      ))}
    </>
  );
}
