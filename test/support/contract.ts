/** Holds answers against the OpenAPI document of the node that gave them. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export interface Contract {
  /** The operation that serves a request; undefined where there is none. */
  operationOf(method: string, path: string): Operation | undefined;
  /** Fails when an answer is not one that the document names for this request. */
  check(method: string, path: string, answer: Answer): void;
}

export function contractOf(documented: Documented): Contract {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(documented, 'openapi');
  const validators = new Map<string, ValidateFunction>();
  // Paths without parameters go first, since the router has them win.
  const templates = Object.keys(documented.paths)
    .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
    .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }));

  function find(method: string, url: string) {
    const path = url.split('?')[0] as string;
    const found = templates.find(({ pattern }) => pattern.test(path));
    const operation = found && documented.paths[found.template]?.[method.toLowerCase()];
    return found && { template: found.template, operation };
  }

  function validator(pointer: string): ValidateFunction {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, known);
    return known;
  }

  return {
    operationOf: (method, path) => find(method, path)?.operation,
    check(method, url, answer) {
      if (method === 'HEAD' || method === 'OPTIONS' || OWN_PAGES.test(url)) return;
      const { template, operation } = find(method, url) ?? {};
      const what = `${method} ${url} answered ${answer.status} ${answer.text.slice(0, 500)}`;
      if (template === undefined || operation === undefined) {
        assert.ok([404, 405, 429, 501].includes(answer.status), `${what}, and is not in the document`);
        return;
      }
      const given = operation.responses[answer.status];
      assert.ok(given, `${what}, a status that the document does not name`);
      const at =
        given.$ref?.slice(1) ?? pointerTo('paths', template, method.toLowerCase(), 'responses', String(answer.status));
      const { content } = given.$ref === undefined ? given : componentOf(documented, given.$ref);
      if (content === undefined) {
        assert.equal(answer.text, '', `${what}, where the document has no body`);
        return;
      }
      const type = answer.contentType?.split(';')[0] ?? '';
      assert.ok(content[type], `${what} as ${type}; the document has ${Object.keys(content)}`);
      if (!JSON_TYPE.test(type)) return;
      const validate = validator(at + pointerTo('content', type, 'schema'));
      assert.ok(validate(JSON.parse(answer.text)), `${what}; ${ajv.errorsText(validate.errors)}`);
    },
  };
}

function componentOf(documented: Documented, reference: string): Response {
  return documented.components.responses[reference.split('/').at(-1) as string] as Response;
}

/** A JSON Pointer (RFC 6901) as a URI fragment. */
function pointerTo(...steps: string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** JSON, and what is JSON by its suffix (RFC 6839 section 3.1). */
export const JSON_TYPE = /^application\/(json|\S+\+json)(;|$)/;

/** Files that the node's own pages are made of. */
const OWN_PAGES = /^\/(pages|docs)\//;

const shared = new Map<string, Promise<Contract>>();

/** The contract of a node, read once in a process: every node with the same extensions serves the same one. */
export function contractAt(address: string, extensions = ''): Promise<Contract> {
  const found =
    shared.get(extensions) ??
    fetch(`${address}/openapi.json`).then(async (response) => contractOf((await response.json()) as Documented));
  shared.set(extensions, found);
  return found;
}
