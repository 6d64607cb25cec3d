/** Long names take a few lines, and all of them when asked for. */

/** Gives each text that does not fit its lines a button that shows the rest. */
export function clampAll(within) {
  for (const button of within.querySelectorAll('button.whole')) button.remove();
  for (const text of within.querySelectorAll('.clamp')) {
    text.classList.remove('open', 'fits');
    if (text.scrollHeight > text.clientHeight + 1) text.after(buttonFor(text));
    else text.classList.add('fits');
  }
}

function buttonFor(text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'whole';
  const label = (isOpen) => {
    button.textContent = isOpen ? 'Show less' : 'Show all of it';
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', () => label(text.classList.toggle('open')));
  label(false);
  return button;
}
