/** Writes the operations of the facade for the Python client: models of answers, types of inputs, and a method for each. */
import { REASON_CODES } from '../../protocol/reason.ts';
import { pathParameters } from '../../src/documents/openapi/split.ts';
import { COMPONENTS, describeSchemas, type JsonSchema } from '../../src/documents/schemas/jsonSchema.ts';
import { namedInputs, namedOutputs } from '../../src/documents/schemas/named.ts';
import { routes } from '../../src/gates/rest/routes.ts';
import { table } from '../../src/operations/table.ts';
import type { UseCase } from '../../src/usecase/useCase.ts';
import { docstring, fieldName, literalOf, pascal, quoted, snake } from './pythonNames.ts';

const MADE = 'Written by scripts/client.mjs from the routes and schemas of the node; do not edit.';

/** What has no end by itself, or is bytes, is read by methods that are written by hand (streams.py); its row is made. */
const IN_PIECES = ['streamEvents', 'downloadBackup'];

/** Documents that are verified over all that they hold: a model would leave out or respell what it does not know. */
const VERIFIED = ['Credential', 'Proof', 'HpProof', 'EvidenceEvent', 'EvidenceExport', 'EvidenceBundle'];

interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly isIdempotent: boolean;
  readonly media: readonly string[];
  readonly input: JsonSchema;
  /** In Python. */
  readonly output: string;
}

/** The texts of the generated modules, by their names. */
export function pythonTexts(): Record<string, string> {
  const cases = routes.map((route) => [route, table[route.useCase] as UseCase] as const);
  const inputs = describeSchemas(
    namedInputs,
    Object.fromEntries(cases.map(([route, useCase]) => [route.useCase, useCase.input])),
    'input',
  );
  const outputs = describeSchemas(
    namedOutputs,
    Object.fromEntries(cases.map(([route, useCase]) => [route.useCase, useCase.output])),
    'output',
  );
  const models = new Declarations('output', outputs.named);
  const types = new Declarations('input', inputs.named);
  const operations = cases.map(([{ useCase: name, method, path, status }, useCase]): Operation => {
    const json = status === 204 ? 'None' : models.typeOf(outputs.own[name] as JsonSchema, `${pascal(name)}Output`);
    return {
      name,
      summary: useCase.summary,
      method,
      path,
      isIdempotent: useCase.idempotent === true,
      media: useCase.media ?? [],
      input: resolved(inputs.own[name] as JsonSchema, inputs.named),
      output: useCase.media === undefined ? json : `${json} | str`,
    };
  });
  const answered = operations.filter(({ name }) => !IN_PIECES.includes(name));
  const methods = answered.map((operation) => methodText(operation, types));
  return {
    'models.py': modelsText(models),
    'inputs.py': inputsText(types),
    '_rows.py': rowsText(operations),
    '_outputs.py': outputsText(answered),
    '_operations.py': operationsText(methods, false),
    '_async_operations.py': operationsText(methods, true),
  };
}

function resolved(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return schema.$ref === undefined ? schema : (named[schema.$ref.slice(COMPONENTS.length)] as JsonSchema);
}

/** Classes and aliases, each once for each shape, those before it that it needs. */
class Declarations {
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
    if (Array.isArray(schema['enum'])) return this.#enumOf(schema['enum']);
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
  #enumOf(values: readonly unknown[]): string {
    const isReason = values.length === REASON_CODES.length && values.every((value, at) => value === REASON_CODES[at]);
    const literal = isReason ? 'ReasonCode' : `Literal[${values.map(literalOf).join(', ')}]`;
    return this.#io === 'output' ? `${literal} | str` : literal;
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

function withNone(type: string): string {
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

function modelsText({ texts }: Declarations): string {
  const codes = REASON_CODES.map((code) => `    ${quoted(code)},\n`).join('');
  return `"""What the node answers. Members that a newer node adds are kept.

${MADE}
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAlias

Document: TypeAlias = dict[str, Any]
"""A signed document, exactly as it came: a change of any member breaks its signature."""

ReasonCode: TypeAlias = Literal[
${codes}]
"""Why a request is refused, in the order in which reasons are reported."""


class Model(BaseModel):
    """A record; \`\`model_dump(by_alias=True)\`\` has the members as they are on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        frozen=True,
        defer_build=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


${texts.join('\n\n')}`;
}

function inputsText({ texts }: Declarations): string {
  return `"""What is sent to the node, with its names on the wire.

${MADE}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

Number: TypeAlias = float | Decimal
"""An amount is in units of its currency: 42.5 is 42.50 USD."""


${texts.join('\n\n')}`;
}

function rowsText(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, method, path, isIdempotent, media }) => {
    const inPath = pathParameters(path);
    const facts = [
      quoted(method),
      quoted(path),
      ...(inPath.length === 0 ? [] : [`in_path=(${inPath.map((each) => `${quoted(each)},`).join(' ')})`]),
      ...(isIdempotent ? ['idempotent=True'] : []),
      ...(media.length === 0 ? [] : [`media=(${media.map((each) => `${quoted(each)},`).join(' ')})`]),
    ];
    return `    ${quoted(name)}: Row(${facts.join(', ')}),\n`;
  });
  return `"""Where the members of each operation travel.

${MADE}
"""

from __future__ import annotations

from ._request import Row

ROWS: dict[str, Row] = {
${rows.join('')}}
`;
}

function outputsText(operations: readonly Operation[]): string {
  const outputs = operations.map(({ name, output }) => `    ${quoted(name)}: ${qualified(output)},\n`);
  return `"""What each operation answers.

${MADE}
"""

from __future__ import annotations

from typing import Any

from . import models

OUTPUTS: dict[str, Any] = {
${outputs.join('')}}
`;
}

/** Names of the declarations in a type as other modules call them. */
function qualified(type: string, module = 'models'): string {
  return type
    .replaceAll(/\b(?!Any\b|None\b|Literal\b|Mapping\b|Sequence\b)[A-Z]\w+\b(?!["'])/g, `${module}.$&`)
    .replaceAll('inputs.ReasonCode', 'models.ReasonCode');
}

function methodText(operation: Operation, types: Declarations): { readonly head: string; readonly body: string } {
  const { name, summary, method, path, input, isIdempotent, output } = operation;
  const members = Object.entries(input.properties ?? {}).filter(
    ([member]) => !(isIdempotent && member === 'idempotencyKey'),
  );
  const open = input.additionalProperties === true && members.length === 0;
  const needed = members.filter(([member]) => input.required?.includes(member) === true);
  const others = members.filter(([member]) => !needed.some(([each]) => each === member));
  const typeOf = (member: string, schema: JsonSchema) =>
    qualified(types.typeOf(schema, pascal(name) + pascal(member)), 'inputs');
  const inPath = pathParameters(path);
  const required = ([member, schema]: [string, JsonSchema]) =>
    `        ${fieldName(member)}: ${typeOf(member, schema)},\n`;
  const positional = needed.filter(([member]) => inPath.includes(member)).map(required);
  const parameters = [
    ...needed.filter(([member]) => !inPath.includes(member)).map(required),
    ...others.map(([member, schema]) => `        ${fieldName(member)}: ${withNone(typeOf(member, schema))} = None,\n`),
    ...(open ? ['        members: Mapping[str, Any] | None = None,\n'] : []),
    ...(isIdempotent ? ['        idempotency_key: str | None = None,\n'] : []),
  ];
  const star = parameters.length === 0 ? '' : '        *,\n';
  const about = [...needed, ...others]
    .filter(([, { description }]) => description !== undefined)
    .map(([member, { description = '' }]) => `\`\`${fieldName(member)}\`\`: ${description}`);
  const told = [`${summary} (\`\`${method} ${path}\`\`)`, ...(about.length === 0 ? [] : ['', ...about])].join('\n');
  const pairs = members.map(([member]) => `${quoted(member)}: ${fieldName(member)}`);
  const key = isIdempotent ? ', idempotency_key' : '';
  const sent = open ? 'members or {}' : dictOf(pairs);
  return {
    head: `def ${snake(name)}(\n        self,\n${positional.join('')}${star}${parameters.join('')}    ) -> ${qualified(output)}:\n${docstring(told, 8)}`,
    body: `self._call(${quoted(name)}, ${sent}${key})`,
  };
}

/** In one line where that is short. */
function dictOf(pairs: readonly string[]): string {
  const line = `{${pairs.join(', ')}}`;
  return line.length <= 50 ? line : `{\n${pairs.map((pair) => `            ${pair},\n`).join('')}        }`;
}

function operationsText(
  methods: readonly { readonly head: string; readonly body: string }[],
  isAsync: boolean,
): string {
  const texts = methods.map(({ head, body }) => {
    const output = /\) -> (.+):\n/.exec(head)?.[1];
    const call = isAsync ? `await ${body}` : body;
    const result =
      output === 'None' ? `        ${call}\n` : `        result: ${output} = ${call}\n        return result\n`;
    return `    ${isAsync ? 'async ' : ''}${head}${result}`;
  });
  return `"""A method for each operation of the facade.

${MADE}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    # Loaded with the first answer: to make all models takes longer than everything else here.
    from . import inputs, models


class ${isAsync ? 'AsyncOperations' : 'Operations'}:
    """Each raises CountersignError when the node does not answer, or answers with an error."""

    ${isAsync ? 'async ' : ''}def _call(self, name: str, members: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        raise NotImplementedError

${texts.join('\n')}`;
}
