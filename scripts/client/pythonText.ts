/** Writes the operations of the facade for the Python client: models of answers, types of inputs, and a method for each. */
import { REASON_CODES } from '../../protocol/reason.ts';
import type { Api } from '../../src/documents/openapi/document.ts';
import { pathParameters } from '../../src/documents/openapi/split.ts';
import { describeSchemas, type JsonSchema } from '../../src/documents/schemas/jsonSchema.ts';
import { useCaseIn } from '../../src/usecase/useCase.ts';
import { docstring, fieldName, pascal, quoted, snake } from './pythonNames.ts';
import { Declarations, flattened, withNone } from './pythonTypes.ts';

const MADE = 'Written by scripts/client.mjs from the routes and schemas of the node; do not edit.';

/** What has no end by itself, or is bytes, is read by methods that are written by hand (streams.py); its row is made. */
const IN_PIECES = ['streamEvents', 'downloadBackup'];

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
export function pythonTexts(api: Api): Record<string, string> {
  const cases = api.routes.map((route) => [route, useCaseIn(api.operations, route.useCase)] as const);
  const inputs = describeSchemas(
    api.inputs,
    Object.fromEntries(cases.map(([route, useCase]) => [route.useCase, useCase.input])),
    'input',
  );
  const outputs = describeSchemas(
    api.outputs,
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
      input: flattened(inputs.own[name] as JsonSchema, inputs.named),
      output: useCase.media === undefined || json.endsWith(' | str') ? json : `${json} | str`,
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
