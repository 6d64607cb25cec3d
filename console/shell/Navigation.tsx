/** The way to each screen: all of them at the side on a desk; on a phone the most used below, and the others behind "More". */
import { useEffect, useState } from 'preact/hooks';
import { may } from '../login/may.ts';
import { loadAttention } from '../node/attention.ts';
import { useLoaded } from '../node/useLoaded.ts';
import { Icon } from '../parts/Icon.tsx';
import { Sheet } from '../parts/Sheet.tsx';
import { hrefOf } from './places.ts';
import { place } from './route.ts';
import { SCREENS, type Screen } from './screens.ts';

type NavigationScreen = Screen & Required<Pick<Screen, 'icon'>>;

export function Navigation() {
  const [isOpen, setOpen] = useState(false);
  const { path } = place.value;
  const attention = useLoaded('attention', loadAttention, ['approval', 'cart']);
  // The menu closes once a place was chosen from it.
  useEffect(() => setOpen(false), [path]);
  const shown = SCREENS.filter(
    (screen): screen is NavigationScreen => screen.icon !== undefined && may(screen.permission),
  );
  const rare = shown.filter(({ isFrequent }) => isFrequent !== true);
  const waiting = attention.value?.counts.approval ?? 0;
  return (
    <>
      <nav aria-label="Screens">
        {shown.map((screen) => (
          <ScreenLink key={screen.pattern} screen={screen} path={path} waiting={waiting} />
        ))}
        <button
          type="button"
          class={rare.some(({ pattern }) => isAt(pattern, path)) ? 'more here' : 'more'}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <Icon name="more" />
          <span>More</span>
        </button>
      </nav>
      {isOpen && (
        <Sheet title="More" onClose={() => setOpen(false)}>
          <nav class="others" aria-label="More screens">
            {rare.map((screen) => (
              <ScreenLink
                key={screen.pattern}
                screen={screen}
                path={path}
                waiting={waiting}
                onChosen={() => setOpen(false)}
              />
            ))}
          </nav>
        </Sheet>
      )}
    </>
  );
}

interface ScreenLinkProps {
  readonly screen: NavigationScreen;
  readonly path: string;
  /** How many purchases wait for a decision. */
  readonly waiting: number;
  /** Told of the screen that is shown already, too. */
  readonly onChosen?: () => void;
}

function ScreenLink({ screen: { pattern, title, icon, isFrequent }, path, waiting, onChosen }: ScreenLinkProps) {
  return (
    <a
      href={hrefOf(pattern)}
      class={isFrequent === true ? undefined : 'rare'}
      aria-current={isAt(pattern, path) ? 'page' : undefined}
      onClick={onChosen}
    >
      <Icon name={icon} />
      <span>{title}</span>
      {pattern === '/approvals' && waiting > 0 && (
        <span class="count" title="Purchases that wait for you">
          {waiting > 99 ? '99+' : waiting}
          <span class="unseen"> waiting for you</span>
        </span>
      )}
    </a>
  );
}

/** On the screen, or on one that belongs to it. */
function isAt(pattern: string, path: string): boolean {
  return path === pattern || (pattern !== '/' && path.startsWith(`${pattern}/`));
}
