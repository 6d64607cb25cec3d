/** Opens what belongs to the user who is signed in. */
import { useEffect, useState } from 'preact/hooks';
import type { Me } from '../../login/login.ts';
import { Lazy } from '../Lazy.tsx';
import { place } from '../route.ts';

const load = () => import('./AccountSheet.tsx').then(({ AccountSheet }) => AccountSheet);

export function AccountButton({ me }: { readonly me: Me }) {
  const [isOpen, setOpen] = useState(false);
  const { path } = place.value;
  useEffect(() => setOpen(false), [path]);
  const name = me.name ?? me.email ?? 'You';
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="account-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="initial" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <span class="account-name">
          <span class="unseen">Account of </span>
          <bdi>{name}</bdi>
        </span>
      </button>
      {isOpen && <Lazy load={load} props={{ me, onClose: close }} bare />}
    </>
  );
}
