/** The places within a screen: each a link, one of which is here. */
import { may, type OwnPermission } from '../login/may.ts';
import { place } from '../shell/route.ts';

export interface Tab {
  /** The address, such as `/settings/people`; what is below it is a part of it. */
  readonly path: string;
  readonly name: string;
  readonly permission: OwnPermission;
}

interface SubPlacesProps {
  readonly label: string;
  /** The first one is the screen itself. */
  readonly places: readonly Tab[];
}

export function SubPlaces({ label, places }: SubPlacesProps) {
  const { path: current } = place.value;
  return (
    <ul class="places" aria-label={label}>
      {places
        .filter(({ permission }) => may(permission))
        .map(({ path, name }, index) => {
          const isHere = current === path || (index > 0 && current.startsWith(`${path}/`));
          return (
            <li key={path}>
              <a href={`#${path}`} aria-current={isHere ? 'page' : undefined}>
                {name}
              </a>
            </li>
          );
        })}
    </ul>
  );
}
