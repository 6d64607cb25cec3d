/** The official schemas of ACP 2026-04-17, and the examples that come with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Loose } from '../../support/world.ts';

const FOLDER = 'test/extensions/acp/schemas';

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const schema = exampleFile('schema.agentic_checkout.json');
ajv.addSchema(schema);

/** What an official schema says against a document; nothing where it takes it. @param name of a definition */
export function faultsOf(name: string, document: unknown): string[] {
  const judge = ajv.getSchema(`${schema.$id}#/$defs/${name}`);
  if (judge === undefined) throw new Error(`ACP defines no ${name}`);
  judge(document);
  return (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function exampleFile(path: string): Loose {
  return JSON.parse(readFileSync(join(FOLDER, path), 'utf8'));
}

/** The examples of the checkout by name. */
export const checkoutExamples: Readonly<Record<string, Loose>> = exampleFile('examples.agentic_checkout.json');
