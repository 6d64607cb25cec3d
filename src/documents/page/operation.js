/** One operation as a section: what it takes, what it answers, an example of both. */
import { copyable, element, folded, memberRow, prose } from './element.js';
import { LANGUAGES } from './request.js';
import { schemaView, typeOf } from './schema.js';
import { tryIt } from './tryIt.js';

export function operationView(entry, documented) {
  const { method, path, operation } = entry;
  const parameters = operation.parameters.map((parameter) => resolvePart(parameter, documented));
  const body = operation.requestBody?.content['application/json'];
  return element(
    'section.operation',
    { id: operation.operationId },
    element('h3', {}, element('a.name', { href: `#${operation.operationId}` }, nameOf(operation))),
    element('p.where', {}, element(`span.method.${method}`, {}, method.toUpperCase()), ' ', element('code', {}, path)),
    prose(operation.summary),
    prose(operation.description, 'p.note'),
    parameters.length === 0 ? undefined : parameterTable(parameters, documented),
    body === undefined ? undefined : element('h4', {}, 'Body'),
    body === undefined ? undefined : schemaView(body.schema, documented),
    element('h4', {}, 'Example'),
    ...examples(entry, documented.servers[0].url),
    'sandbox' in document.body.dataset ? folded('Try it', () => tryIt(entry, document.body.dataset.up)) : undefined,
    ...answers(operation, documented),
  );
}

/** What it does, of its name: `issueIntent` is “Issue intent”. */
export function nameOf({ operationId }) {
  const words = operationId.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words[0].toUpperCase() + words.slice(1);
}

/** One language at a time, the same for all operations. */
function examples(entry, baseUrl) {
  const shown = element('div.shown', { 'data-entry': entry.operation.operationId });
  const show = (language) =>
    shown.replaceChildren(copyable(LANGUAGES[language](entry, baseUrl), `the request ${entry.operation.operationId}`));
  const buttons = Object.keys(LANGUAGES).map((language) => {
    const button = element('button', { type: 'button', 'data-language': language }, language);
    button.addEventListener('click', () => {
      document.dispatchEvent(new CustomEvent('language', { detail: language }));
    });
    return button;
  });
  const choose = (language) => {
    show(language);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.language === language));
  };
  document.addEventListener('language', ({ detail }) => choose(detail));
  choose('curl');
  return [element('div.languages', { role: 'group', 'aria-label': 'Language of the example' }, ...buttons), shown];
}

function parameterTable(parameters, documented) {
  const rows = parameters.map(({ name, in: where, required, description, schema }) =>
    memberRow(
      name,
      required ? `${where}, required` : where,
      element('code.type', {}, typeOf(schema, documented)),
      description === undefined ? '' : prose(description),
    ),
  );
  return element('table', {}, element('tbody', {}, ...rows));
}

function answers(operation, documented) {
  return Object.entries(operation.responses).map(([status, given]) => {
    const response = resolvePart(given, documented);
    const line = element('span', {}, element(`code.status.s${status[0]}`, {}, status), ' ', response.description);
    return folded(line, () => answer(response, documented));
  });
}

function answer(response, documented) {
  const json = response.content?.['application/json'];
  if (json === undefined) {
    return element(
      'p',
      {},
      response.content === undefined ? 'There is no body.' : Object.keys(response.content).join(', '),
    );
  }
  const examples = json.example === undefined ? Object.values(json.examples ?? {}) : [{ value: json.example }];
  return element(
    'div',
    {},
    schemaView(json.schema, documented),
    ...examples.flatMap(({ summary, value }) => [
      element('h4', {}, summary ?? 'Example'),
      copyable(JSON.stringify(value, null, 2), 'the answer'),
    ]),
  );
}

/** What a reference into the document's components leads to. */
function resolvePart(part, documented) {
  if (part.$ref === undefined) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((found, name) => found[name], documented);
}
