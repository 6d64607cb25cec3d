/** JSON Schemas as tables: a row for each member, nested ones opened on demand. */
import { element, folded, memberRow, prose } from './element.js';

const COMPONENTS = '#/components/schemas/';

/** What a reference leads to, and the name it had. */
export function resolve(schema, documented) {
  if (schema.$ref === undefined) return { schema, name: undefined };
  const name = schema.$ref.slice(COMPONENTS.length);
  return { schema: documented.components.schemas[name], name };
}

/** A schema as an element: a table where it has members, its type in words where it has none. */
export function schemaView(given, documented) {
  const { schema } = resolve(given, documented);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const views = choices.map((choice, index) =>
      element('div.choice', {}, element('p.or', {}, index === 0 ? 'Either' : 'or'), schemaView(choice, documented)),
    );
    return element('div', {}, ...views);
  }
  const members = membersOf(schema, documented);
  if (members.length > 0) return table(members, documented);
  if (schema.items !== undefined && hasMembers(schema.items, documented)) return schemaView(schema.items, documented);
  return element('p', {}, element('code', {}, typeOf(given, documented)));
}

function table(members, documented) {
  const rows = members.map(({ name, member, required }) =>
    memberRow(
      name,
      required ? 'required' : '',
      element('code.type', {}, typeOf(member, documented)),
      ...explained(member, documented),
    ),
  );
  return element('table', {}, element('tbody', {}, ...rows));
}

function explained(member, documented) {
  const { schema } = resolve(member, documented);
  const inner = schema.items ?? schema;
  const limits = limitsOf(schema);
  return [
    ...((member.description ?? schema.description) === undefined
      ? []
      : [prose(member.description ?? schema.description)]),
    ...(limits === '' ? [] : [element('p.limits', {}, limits)]),
    ...(hasMembers(inner, documented) ? [folded('members', () => schemaView(inner, documented))] : []),
  ];
}

function membersOf(schema, documented) {
  const own = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    member,
    required: schema.required?.includes(name) === true,
  }));
  return [...own, ...(schema.allOf ?? []).flatMap((part) => membersOf(resolve(part, documented).schema, documented))];
}

function hasMembers(given, documented) {
  const { schema } = resolve(given, documented);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return schema.properties !== undefined || choices.some((choice) => hasMembers(choice, documented));
}

/** A type in words. */
export function typeOf(given, documented) {
  const { schema, name } = resolve(given, documented);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.length > 12 ? 'string' : schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, documented)))].join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {}, documented)}[]`;
  const type = [schema.type ?? 'object'].flat().join(' | ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function limitsOf(schema) {
  return [
    schema.minimum === undefined ? '' : `at least ${schema.minimum}`,
    schema.exclusiveMinimum === undefined ? '' : `above ${schema.exclusiveMinimum}`,
    schema.maximum === undefined ? '' : `at most ${schema.maximum}`,
    schema.minLength === undefined ? '' : `at least ${schema.minLength} characters`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.pattern === undefined ? '' : `matches ${schema.pattern}`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    schema.enum?.length > 12 ? `one of ${schema.enum.join(', ')}` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}
