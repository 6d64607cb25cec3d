/** The keys that lead somewhere. */
import { Fact } from '../../parts/Fact.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { areKeysShown, LEADING, SHORTCUT } from '../searchOpen.ts';

const KEYS = [
  [`${SHORTCUT} or /`, 'Search'],
  ['?', 'These keys'],
  ...Object.entries(LEADING).map(([key, [, name]]) => [`g ${key}`, name] as const),
] as const;

export function KeysSheet() {
  const close = () => {
    areKeysShown.value = false;
  };
  return (
    <Sheet title="Keys" onClose={close}>
      <dl class="facts">
        {KEYS.map(([keys, name]) => (
          <Fact key={keys} name={<kbd>{keys}</kbd>}>
            {name}
          </Fact>
        ))}
      </dl>
    </Sheet>
  );
}
