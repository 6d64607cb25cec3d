/** One operation as a section: what it takes, what it answers, an example of both. */
import { curlOf } from './curl.js';
import { copyable, element, folded, memberRow, prose } from './element.js';
import { schemaView, typeOf } from './schema.js';

export function operationView(entry, documented) {
  const { method, path, operation } = entry;
  const parameters = operation.parameters.map((parameter) => resolvePart(parameter, documented));
  const body = operation.requestBody?.content['application/json'];
  return element(
    'section.operation',
    { id: operation.operationId },
    element(
      'h3',
      {},
      element(`span.method.${method}`, {}, method.toUpperCase()),
      ' ',
      element('a.path', { href: `#${operation.operationId}` }, path),
    ),
    prose(operation.summary),
    prose(operation.description, 'p.note'),
    parameters.length === 0 ? undefined : parameterTable(parameters, documented),
    body === undefined ? undefined : element('h4', {}, 'Body'),
    body === undefined ? undefined : schemaView(body.schema, documented),
    element('h4', {}, 'Example'),
    copyable(curlOf(entry, documented.servers[0].url), `the request ${operation.operationId}`),
    ...answers(operation, documented),
  );
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
