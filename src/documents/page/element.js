/** Makes elements of the page: text only ever becomes text, so nothing in a document can become markup. */

/**
 * @param {string} name such as `div` or `code.path`: a tag and classes
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | undefined)} children
 */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A row of a table of members. @param note beside the name, such as `required`; empty for none */
export function memberRow(name, note, ...cell) {
  const heading = [element('code', {}, name), note === '' ? undefined : element('span.required', {}, note)];
  return element('tr', {}, element('th', { scope: 'row' }, ...heading), element('td', {}, ...cell));
}

/** Text in which `code` is marked so, in a paragraph. */
export function prose(text, name = 'p') {
  const parts = text.split(/`([^`]+)`/);
  return element(name, {}, ...parts.map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part)));
}

/** A block of text with a button that copies it. */
export function copyable(text, label) {
  const button = element('button', { type: 'button', 'aria-label': `Copy ${label}` }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  return element('div.copyable', {}, button, element('pre', { tabindex: '0' }, element('code', {}, text)));
}

/** A part that opens on demand. @param {() => Node} make makes what is inside when it is first opened */
export function folded(summary, make) {
  const details = element('details', {}, element('summary', {}, summary));
  details.addEventListener('toggle', () => details.children.length === 1 && details.append(make()), { once: true });
  return details;
}
