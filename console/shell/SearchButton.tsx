/** Opens the search, whose code is loaded then. */
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../parts/Icon.tsx';
import { Lazy } from './Lazy.tsx';
import { areKeysShown, followShortcut, isSearching, openSearch, SHORTCUT } from './searchOpen.ts';

const load = () => import('./search/SearchSheet.tsx').then(({ SearchSheet }) => SearchSheet);

const loadKeys = () => import('./search/KeysSheet.tsx').then(({ KeysSheet }) => KeysSheet);

export function SearchButton() {
  // Before the button is seen: no key is pressed in vain.
  useLayoutEffect(followShortcut, []);
  return (
    <>
      <button
        type="button"
        class="search-button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={openSearch}
      >
        <Icon name="search" />
        <span class="search-words">Search</span>
        <kbd>{SHORTCUT}</kbd>
      </button>
      {isSearching.value && <Lazy load={load} props={{}} bare />}
      {areKeysShown.value && <Lazy load={loadKeys} props={{}} bare />}
    </>
  );
}
