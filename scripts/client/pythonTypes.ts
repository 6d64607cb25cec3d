/** JSON Schemas as declarations of Python: models of answers, typed dicts of inputs. */
import { REASON_CODES } from '../../protocol/reason.ts';
import { COMPONENTS, type JsonSchema } from '../../src/documents/schemas/jsonSchema.ts';
import { docstring, fieldName, literalOf, pascal, quoted } from './pythonNames.ts';

/** Documents that are verified over all that they hold: a model would leave out or respell what it does not know. */
const VERIFIED = ['Credential', 'Proof', 'HpProof', 'EvidenceEvent', 'EvidenceExport', 'EvidenceBundle'];

const LONGEST_LITERAL = 100;

/** A schema itself, where it is called by its name. */
export function resolved(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return schema.$ref === undefined ? schema : (named[schema.$ref.slice(COMPONENTS.length)] as JsonSchema);
}

/** Classes and aliases, each once for each shape, those before it that it needs. */
export class Declarations {
  readonly texts: string[] = [];
  readonly #io: 'input' | 'output';
  readonly #named: Readonly<Record<string, JsonSchema>>;
  readonly #names = new Map<string, string>();

  constructor(io: 'input' | 'output', named: Readonly<Record<string, JsonSchema>>) {
    this.#io = io;
    this.#named = named;
  }

  /** A JSON Schema in Python. @param name what it is called, if it takes a declaration of its own */
  typeOf(schema: JsonSchema, name: string): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref.slice(COMPONENTS.length));
    const either = (schema.anyOf ?? schema['oneOf']) as JsonSchema[] | undefined;
    if (either !== undefined) return this.#unionOf(either, name);
    if (schema.allOf !== undefined)
      return this.#objectOf(merged(schema.allOf.map((part) => resolved(part, this.#named))), name);
    if (schema['const'] !== undefined) return `Literal[${literalOf(schema['const'])}]`;
    if (Array.isArray(schema['enum'])) return this.#enumOf(schema['enum'], name);
    if (Array.isArray(schema.type))
      return this.#unionOf(
        schema.type.map((type) => ({ ...schema, type })),
        name,
      );
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return this.#io === 'input' ? 'Number' : 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `${this.#io === 'input' ? 'Sequence' : 'list'}[${this.typeOf(schema.items ?? {}, name)}]`;
      default:
        return schema.type === 'object' || schema.properties !== undefined ? this.#objectOf(schema, name) : 'Any';
    }
  }

  #reference(name: string): string {
    if (this.#io === 'output' && VERIFIED.includes(name)) return 'Document';
    if (this.#names.has(name)) return this.#names.get(name) as string;
    this.#names.set(name, name);
    const type = this.typeOf(this.#named[name] as JsonSchema, name);
    if (type !== name) {
      // An alias that is no name is written once, and used by its name.
      if (/^\w+$/.test(type)) this.#names.set(name, type);
      else this.texts.push(`${name}: TypeAlias = ${type}\n`);
    }
    return this.#names.get(name) as string;
  }

  #unionOf(parts: readonly JsonSchema[], name: string): string {
    // Beside a document that is verified, another object is read as it came, too.
    const isVerified = parts.some(({ $ref }) => VERIFIED.includes($ref?.slice(COMPONENTS.length) ?? ''));
    if (this.#io === 'output' && isVerified) return 'Document';
    const objects = parts.filter((part) => resolved(part, this.#named).properties !== undefined);
    const isRefused = (part: JsonSchema) => resolved(part, this.#named).properties?.['allowed']?.['const'] === false;
    const nameOf = (part: JsonSchema) => {
      if (objects.length < 2) return name;
      if (isRefused(part)) return `${name}Refused`;
      return objects.some(isRefused) ? `${name}Allowed` : `${name}${objects.indexOf(part) + 1}`;
    };
    return [...new Set(parts.map((part) => this.typeOf(part, nameOf(part))))].join(' | ');
  }

  /** A newer node may answer with more values than these; it is sent these alone. */
  #enumOf(values: readonly unknown[], name: string): string {
    const isReason = values.length === REASON_CODES.length && values.every((value, at) => value === REASON_CODES[at]);
    const literal = isReason ? 'ReasonCode' : this.#literalOf(values.map(literalOf), name);
    return this.#io === 'output' ? `${literal} | str` : literal;
  }

  /** A long one has a name. */
  #literalOf(values: readonly string[], name: string): string {
    const line = `Literal[${values.join(', ')}]`;
    if (line.length <= LONGEST_LITERAL) return line;
    const known = this.#names.get(line);
    if (known !== undefined) return known;
    this.#names.set(line, name);
    this.texts.push(`${name}: TypeAlias = Literal[\n${values.map((value) => `    ${value},\n`).join('')}]\n`);
    return name;
  }

  #objectOf(schema: JsonSchema, name: string): string {
    const members = Object.entries(schema.properties ?? {});
    const rest = schema.additionalProperties;
    if (members.length === 0) {
      const value = typeof rest === 'object' ? this.typeOf(rest, name) : 'Any';
      return this.#io === 'input' ? `Mapping[str, ${value}]` : `dict[str, ${value}]`;
    }
    // A typed dict has no other members than those it names.
    if (this.#io === 'input' && rest === true) return 'Mapping[str, Any]';
    const shape = JSON.stringify(schema);
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    this.#names.set(shape, name);
    const typed = members.map(([member, value]) => ({
      member,
      type: this.typeOf(value, name + pascal(member)),
      isRequired: schema.required?.includes(member) === true,
      about: value.description,
    }));
    this.texts.push(this.#io === 'input' ? typedDict(name, typed) : model(name, typed));
    return name;
  }
}

interface Member {
  readonly member: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string | undefined;
}

function merged(parts: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/**
 * What can be sent as one object whose members are all named: of alternatives, the members of each, and only those needed that
 * every one of them needs. The node says where members do not go together.
 */
export function flattened(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const whole = resolved(schema, named);
  if (whole.allOf !== undefined) return merged(whole.allOf.map((part) => flattened(part, named)));
  const either = (whole.anyOf ?? whole['oneOf']) as JsonSchema[] | undefined;
  if (either === undefined) return whole;
  const parts = either.map((part) => flattened(part, named));
  const names = new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const properties = [...names].map((name): [string, JsonSchema] => {
    const all = parts.flatMap(({ properties = {} }) => (properties[name] === undefined ? [] : [properties[name]]));
    const [first = {}] = all;
    return [name, all.length === 1 ? first : { ...describedAs(first), anyOf: all }];
  });
  const required = [...names].filter((name) => parts.every((part) => part.required?.includes(name) === true));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function describedAs({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description };
}

function model(name: string, members: readonly Member[]): string {
  const lines = members.map(({ member, type, isRequired, about }) => {
    const field = fieldName(member);
    const alias = camel(field) === member ? '' : `alias=${quoted(member)}`;
    const optional = isRequired ? '' : withNone(type) === type ? ' = None' : '';
    const value =
      alias === ''
        ? isRequired
          ? ''
          : optional || ' = None'
        : ` = Field(${isRequired ? '' : 'default=None, '}${alias})`;
    return `    ${field}: ${isRequired ? type : withNone(type)}${value}\n${docstring(about, 4)}`;
  });
  return `class ${name}(Model):\n${lines.join('')}`;
}

/** A type that may be absent. */
export function withNone(type: string): string {
  return /(^|\| )None( \||$)/.test(type) || type === 'Any' ? type : `${type} | None`;
}

function typedDict(name: string, members: readonly Member[]): string {
  const isPlain = members.every(({ member }) => fieldName(member) === member || /^[a-z][A-Za-z0-9]*$/.test(member));
  const typed = members.map(({ member, type, isRequired }) => [member, isRequired ? type : `NotRequired[${type}]`]);
  if (isPlain && members.every(({ member }) => member !== 'from')) {
    const lines = members.map(({ about }, index) => `    ${typed[index]?.join(': ')}\n${docstring(about, 4)}`);
    return `class ${name}(TypedDict):\n${lines.join('')}`;
  }
  const lines = typed.map(([member = '', type = '']) => `        ${quoted(member)}: ${type},\n`);
  return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines.join('')}    },\n)\n`;
}

function camel(field: string): string {
  return field.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
