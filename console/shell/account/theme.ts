/** Light, dark, or as the system says: chosen in this browser, and in force before the first paint. */

export const THEMES = ['System', 'Light', 'Dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'countersign.theme';
/** The ground of tokens.css, which the browser paints its own bars with. */
const GROUNDS = { light: '#f4f3ef', dark: '#131512' } as const;

export function readTheme(): Theme {
  const kept = stored();
  return kept === 'light' ? 'Light' : kept === 'dark' ? 'Dark' : 'System';
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'System') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme.toLowerCase());
  } catch {
    // A browser that keeps nothing shows it for as long as the page is open.
  }
  show(theme);
}

export function applyTheme(): void {
  show(readTheme());
}

/** What another tab chooses holds here, too. */
export function followTheme(): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) applyTheme();
  });
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function show(theme: Theme): void {
  const root = document.documentElement;
  const chosen = theme === 'System' ? undefined : theme === 'Light' ? 'light' : 'dark';
  if (chosen === undefined) delete root.dataset['theme'];
  else root.dataset['theme'] = chosen;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = GROUNDS[chosen ?? (meta.media.includes('dark') ? 'dark' : 'light')];
  }
}
