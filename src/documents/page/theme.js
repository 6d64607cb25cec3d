/* Before anything is painted: the theme that the reader chose in the console or here, if they chose one. */
try {
  const theme = localStorage.getItem('countersign.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed to this page; the system's theme holds then.
}
