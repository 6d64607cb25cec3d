/** The page: reads the OpenAPI document of the node it comes from and lays the operations of one resource out, which the address names. */
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
const resources = documented.tags.map(({ name, description }) => ({
  name,
  description,
  anchor: `resource-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
  entries: entries.filter(({ operation }) => operation.tags.includes(name)),
}));

for (const { name, anchor, entries } of resources) {
  const links = entries.map(({ method, path, operation }) =>
    element(
      'li',
      { 'data-text': `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase() },
      element('a', { href: `#${operation.operationId}` }, nameOf(operation)),
    ),
  );
  const heading = element('h2', {}, element('a', { href: `#${anchor}` }, name));
  contents.append(element('section', {}, heading, element('ul', {}, ...links)));
}

/** All of them are too much for one page: 200 operations with their schemas and examples. */
function show() {
  const asked = location.hash.slice(1);
  const shown = resources.find(
    ({ anchor, entries }) => anchor === asked || entries.some(({ operation }) => operation.operationId === asked),
  );
  main.replaceChildren(shown === undefined ? index() : resource(shown));
  // The place that the address names exists only now.
  if (shown !== undefined) document.getElementById(asked)?.scrollIntoView();
}
show();
addEventListener('hashchange', show);

function index() {
  const items = resources.map(({ name, description, anchor, entries }) =>
    element(
      'section',
      {},
      element('h2', {}, element('a', { href: `#${anchor}` }, name)),
      prose(description),
      element('p.note', {}, entries.length === 1 ? '1 operation' : `${entries.length} operations`),
    ),
  );
  return element('div', {}, ...items);
}

function resource({ name, description, anchor, entries }) {
  return element(
    'section',
    {},
    element('p.note', {}, element('a', { href: '#' }, 'All resources')),
    element('h2', { id: anchor }, name),
    prose(description),
    ...entries.map((entry) => operationView(entry, documented)),
  );
}

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
