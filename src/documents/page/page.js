/** The page: reads the OpenAPI document of the node it comes from and lays its operations out by resource. */
import { element, prose } from './element.js';
import { nameOf, operationView } from './operation.js';

const METHODS = ['get', 'post', 'put', 'delete'];

const documented = await (await fetch('../openapi.json')).json();
const entries = Object.entries(documented.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method] !== undefined).map((method) => ({ method, path, operation: item[method] })),
);

document
  .getElementById('about')
  .replaceWith(
    element(
      'div',
      { id: 'about' },
      prose(documented.info.description),
      element(
        'p.note',
        {},
        `Version ${documented.info.version} at ${documented.servers[0].url}. `,
        element('a', { href: '../openapi.json' }, 'OpenAPI'),
        ' · ',
        element('a', { href: '../openrpc.json' }, 'OpenRPC'),
      ),
      credentials(),
    ),
  );

const contents = document.getElementById('list');
const main = document.getElementById('operations');
for (const { name, description } of documented.tags) {
  const inTag = entries.filter(({ operation }) => operation.tags.includes(name));
  const links = inTag.map(({ method, path, operation }) =>
    element(
      'li',
      { 'data-text': `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase() },
      element('a', { href: `#${operation.operationId}` }, nameOf(operation)),
    ),
  );
  contents.append(element('section', {}, element('h2', {}, name), element('ul', {}, ...links)));
  main.append(
    element(
      'section',
      {},
      element('h2', {}, name),
      prose(description),
      ...inTag.map((entry) => operationView(entry, documented)),
    ),
  );
}
// The place that the address names exists only now.
if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();

document.getElementById('filter').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const item of contents.querySelectorAll('li'))
    item.hidden = !words.every((word) => item.dataset.text.includes(word));
  for (const section of contents.children) section.hidden = section.querySelector('li:not([hidden])') === null;
});

function credentials() {
  const schemes = Object.entries(documented.components.securitySchemes).flatMap(([name, scheme]) => [
    element('dt', {}, element('code', {}, scheme.name ?? `Authorization: Bearer (${name})`)),
    prose(scheme.description, 'dd'),
  ]);
  return element('details', {}, element('summary', {}, 'Credentials'), element('dl', {}, ...schemes));
}
