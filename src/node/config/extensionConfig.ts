/** The part of the environment that is about extensions: which of them run, and what each reads of it. */
import type { JWK } from 'jose';
import { z } from 'zod';
import type { Extension, SigningNode } from '../../extensions/extension.ts';
import { extensions as list } from '../../extensions/list.ts';
import type { Schedule } from '../../usecase/schedule.ts';
import type { Examiner } from '../../usecase/watch.ts';

const extensions: readonly Extension[] = list;

const NAMES = extensions.map(({ name }) => name);

/** Each extension reads its own; the node has the types of none of them. */
const variables: object = Object.assign({}, ...extensions.map(({ settings }) => settings?.variables ?? {}));

export const ExtensionEnvironment = {
  EXTENSIONS: z
    .string()
    .transform((text) => (text.trim() === 'none' ? [] : text.split(',').map((name) => name.trim())))
    .pipe(z.array(z.enum(NAMES, { error: `must be none, or names among ${NAMES.join(', ')} with commas between` })))
    .optional(),
  ...variables,
} as const;

interface Values {
  readonly AP2_ENV: 'sandbox' | 'production';
  readonly WEBHOOK_ALLOW_PRIVATE?: boolean | undefined;
  readonly EXTENSIONS?: readonly string[] | undefined;
}

export interface ExtensionConfig {
  /** The names of those that the node runs with, in the order of the list. */
  readonly extensions: readonly string[];
  /** Of those that start, what each has read of the environment, by its variables. */
  readonly extensionSettings: Readonly<Record<string, ExtensionValues>>;
}

type ExtensionValues = Readonly<Record<string, unknown>> &
  Pick<Values, 'AP2_ENV'> & { readonly WEBHOOK_ALLOW_PRIVATE: boolean };

/** Whether webhooks may go to private addresses. */
export function allowsPrivate({ AP2_ENV, WEBHOOK_ALLOW_PRIVATE: allowed }: Values): boolean {
  return allowed ?? AP2_ENV === 'sandbox';
}

export function extensionsOf(values: Values): ExtensionConfig {
  const on = extensionsOn(values);
  const taken = new Set<string>();
  const starting = on.filter((extension) => {
    const { settings, rails = [] } = extension;
    const isConfigured = settings?.isConfigured?.(valuesOf(extension, values)) ?? true;
    if (!isConfigured || rails.some((rail) => taken.has(rail))) return false;
    for (const rail of rails) taken.add(rail);
    return true;
  });
  return {
    extensions: on.map(({ name }) => name),
    extensionSettings: Object.fromEntries(starting.map((extension) => [extension.name, valuesOf(extension, values)])),
  };
}

/** The settings of the extensions that are off, which are not looked at. @param named as EXTENSIONS names those that are on */
export function settingsOfAbsent(named: string | undefined): readonly string[] {
  const read = ExtensionEnvironment.EXTENSIONS.safeParse(named);
  const on = read.data;
  if (on === undefined) return [];
  return extensions.flatMap(({ name, settings }) => (on.includes(name) ? [] : Object.keys(settings?.variables ?? {})));
}

/** One line a fault. */
export function extensionFaults(values: Values): string[] {
  return extensionsOn(values).flatMap((one) => one.settings?.faults?.(valuesOf(one, values)) ?? []);
}

/** The settings that may stand in a file of their own. */
export const extensionSecrets: readonly string[] = extensions.flatMap(({ settings }) => settings?.secrets ?? []);

/** The extensions that start, each with its settings. */
export function startingExtensions(config: ExtensionConfig): readonly (readonly [Extension, ExtensionValues])[] {
  return extensions.flatMap((extension) => {
    const values = config.extensionSettings[extension.name];
    return values === undefined ? [] : [[extension, values] as const];
  });
}

/** The part of the settings that a gate in a thread of its own is given: what is done there is observed too, and no other secret goes there. */
export function settingsOfGate(config: ExtensionConfig): ExtensionConfig {
  const observers = startingExtensions(config).filter(([{ observe }]) => observe !== undefined);
  const extensionSettings = Object.fromEntries(observers.map(([{ name }, values]) => [name, values]));
  return { extensions: config.extensions, extensionSettings };
}

/** What the extensions that are on add to the addresses of the node's first page. */
export function linksOf(on: readonly string[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...extensions.filter(({ name }) => on.includes(name)).map(({ links }) => links ?? {}));
}

/** What the extensions that are on tell their parts in the gates, by their names. */
export function factsOf(on: readonly string[], node: SigningNode): Readonly<Record<string, unknown>> {
  const told = extensions.filter(({ name, facts }) => facts !== undefined && on.includes(name));
  return Object.fromEntries(told.map(({ name, facts }) => [name, facts?.(node)]));
}

/** The public keys by which the extensions that are on sign HTTP requests. */
export function requestKeysOf(on: readonly string[], node: SigningNode): readonly JWK[] {
  return extensions.flatMap(({ name, requestKeys }) => (on.includes(name) ? (requestKeys?.(node) ?? []) : []));
}

/** What the extensions that start look at for the health page and the doctor. */
export function examinersOf(config: ExtensionConfig): readonly Examiner[] {
  return startingExtensions(config).flatMap(([{ examine }, values]) =>
    examine === undefined ? [] : [(...asked) => examine(values, ...asked)],
  );
}

/** What the extensions that are on do from time to time, whether they start or not. */
export function schedulesOf(on: readonly string[]): readonly Schedule[] {
  return extensions.flatMap(({ name, schedules = [] }) => (on.includes(name) ? schedules : []));
}

/** What an operator sets so that a node has a rail, as a phrase. */
export function railRemedy({ extensions: on }: ExtensionConfig): string {
  const remedies = extensions.flatMap(({ name, rails, settings }) =>
    rails !== undefined && on.includes(name) && settings?.remedy !== undefined ? [settings.remedy] : [],
  );
  return remedies.length === 0 ? 'name an extension with a rail in EXTENSIONS' : remedies.join(', or ');
}

function extensionsOn({ EXTENSIONS }: Values): readonly Extension[] {
  return extensions.filter(({ name }) => EXTENSIONS?.includes(name) ?? true);
}

function valuesOf({ settings }: Extension, values: Values): ExtensionValues {
  const own = Object.keys(settings?.variables ?? {});
  return {
    AP2_ENV: values.AP2_ENV,
    WEBHOOK_ALLOW_PRIVATE: allowsPrivate(values),
    ...Object.fromEntries(own.map((name) => [name, (values as unknown as Record<string, unknown>)[name]])),
  };
}
