/** What can be asked of a node, and by which paths: the kernel's operations with those of extensions. */
import type { CallTable } from '../core/core.ts';
import type { Api } from '../documents/openapi/document.ts';
import { type Route, routes } from '../gates/rest/routes.ts';
import { table } from '../operations/table.ts';
import type { OperationTable } from '../usecase/useCase.ts';
import type { Extension } from './extension.ts';
import { extensions } from './list.ts';
import type { ToolParts } from './tool.ts';

type Own<Listed> = Listed extends { readonly operations: infer Operations } ? Operations : unknown;
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer Each) => void
  ? Each
  : never;
/** Every operation, with those of all extensions. */
type Operations = typeof table & All<Own<(typeof extensions)[number]>>;
export type OperationName = string & keyof Operations;

const listed: readonly Extension[] = extensions;
const NAMES: readonly string[] = listed.map(({ name }) => name);

/** Of a node with every extension, which clients are made of. */
export const allOperations = operationsWith(NAMES) as Operations;
export const allRoutes = routesWith(NAMES);

/** @param on the names of the extensions that a node runs with */
export function operationsWith(on: readonly string[]): OperationTable {
  return Object.assign({}, table, ...extensionsIn(on).map((one) => one.operations));
}

/** @param on the names of the extensions that a node runs with */
export function routesWith(on: readonly string[]): readonly Route[] {
  return [...routes, ...extensionsIn(on).flatMap((one) => one.routes ?? [])];
}

/** What gates ask of the core besides the kernel's calls. @param on the names of the extensions that a node runs with */
export function callsWith(on: readonly string[]): CallTable {
  return Object.assign({}, ...extensionsIn(on).map((one) => one.calls));
}

/** What documents tell of them, which is loaded when it is asked. @param on the names of the extensions that a node runs with */
export async function loadApi(on: readonly string[] = NAMES): Promise<Api> {
  const { examplesBeforeCart, examplesFromCart } = await import('../documents/examples/examples.ts');
  const { namedInputs, namedOutputs } = await import('../documents/schemas/named.ts');
  const own = await Promise.all(extensionsIn(on).map(async (one) => one.documents?.()));
  return {
    operations: operationsWith(on),
    routes: routesWith(on),
    examples: Object.assign({}, examplesBeforeCart, ...own.map((each) => each?.examples), examplesFromCart),
    inputs: Object.assign({}, namedInputs, ...own.map((each) => each?.inputs)),
    outputs: Object.assign({}, namedOutputs, ...own.map((each) => each?.outputs)),
  };
}

/** The tools that extensions add. @param on the names of the extensions that a node runs with */
export async function loadTools(on: readonly string[] = NAMES): Promise<ToolParts> {
  const own = await Promise.all(extensionsIn(on).map(async (one) => one.tools?.()));
  return {
    tools: own.flatMap((each) => each?.tools ?? []),
    records: Object.assign({}, ...own.map((each) => each?.records)),
  };
}

function extensionsIn(on: readonly string[]): readonly Extension[] {
  return listed.filter(({ name }) => on.includes(name));
}
