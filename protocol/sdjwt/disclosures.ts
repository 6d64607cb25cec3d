/** Puts the disclosures of an SD-JWT in the places of their digests (RFC 9901 section 7.1), or says which rule they break. */

import { type SdAlgorithm, sdHash } from './sdHash.ts';
import { isObject, type JsonObject, jsonIn, type SdJwt } from './sdJwt.ts';

/** One element of `delegate_payload`, with the digest that names it where one does. */
export interface Delegate {
  readonly value: unknown;
  readonly digest: string | undefined;
}

export interface DisclosureResult {
  /** Without digests: what was not disclosed is left out. */
  readonly payload: JsonObject;
  /** The elements of `delegate_payload` that are readable. */
  readonly mandates: readonly Delegate[];
  /** How many disclosures were presented, and how many digests name none of them. */
  readonly disclosed: number;
  readonly hidden: number;
}

interface Disclosure {
  readonly name: string | undefined;
  readonly value: unknown;
}

/** How deep objects and arrays may nest once disclosures stand in one another. */
const MOST_DEPTH = 64;
const RESERVED = ['_sd', '...', '_sd_alg', '__proto__'];

/**
 * @param isMirrored whether top-level `_sd` may name once more what `delegate_payload` names
 * @returns a sentence where a rule is broken
 */
export function disclose(
  token: SdJwt,
  algorithm: SdAlgorithm,
  isMirrored: boolean,
): DisclosureResult | { readonly fault: string } {
  const resolver = new Resolver();
  for (const text of token.disclosures) resolver.read(text, sdHash(algorithm, text));
  const { _sd_alg, _sd: digests, delegate_payload: delegate, ...rest } = token.payload;
  const mandates = Array.isArray(delegate) ? delegate.flatMap((each) => resolver.element(each, 1)) : [];
  const mirrored = isMirrored && Array.isArray(digests) ? resolver.mirror(digests) : digests;
  const payload = resolver.object(mirrored === undefined ? rest : { ...rest, _sd: mirrored }, 1);
  resolver.refuseClash(payload, 'delegate_payload');
  resolver.refuseUnused();
  if (resolver.fault !== undefined) return { fault: resolver.fault };
  return {
    payload: delegate === undefined ? payload : { ...payload, delegate_payload: mandates.map(({ value }) => value) },
    mandates,
    disclosed: token.disclosures.length,
    hidden: resolver.hidden,
  };
}

class Resolver {
  /** The first rule that is broken. */
  fault: string | undefined;
  hidden = 0;
  readonly #disclosures = new Map<string, Disclosure>();
  readonly #named = new Set<string>();

  read(text: string, digest: string): void {
    const read = readDisclosure(text);
    if ('fault' in read) this.#fail(read.fault);
    else if (this.#disclosures.has(digest)) this.#fail('A disclosure is there twice.');
    else this.#disclosures.set(digest, read);
  }

  value(value: unknown, depth: number, isConstraint = false): unknown {
    if (Array.isArray(value)) return value.flatMap((each) => this.element(each, depth + 1)).map((each) => each.value);
    return isObject(value) ? this.object(value, depth + 1, isConstraint) : value;
  }

  /** Constraints bind: where one of them, or a member of it, is withheld, its digest stays for their judge to see. */
  #member(name: string, value: unknown, depth: number): unknown {
    if (name !== 'constraints' || !Array.isArray(value)) return this.value(value, depth);
    return value.map((each) => {
      const [found] = this.element(each, depth + 1, true);
      return found === undefined ? each : found.value;
    });
  }

  /** @returns nothing for an element that is not disclosed */
  element(element: unknown, depth: number, isConstraint = false): Delegate[] {
    if (this.#isTooDeep(depth)) return [];
    if (!isObject(element) || !Object.hasOwn(element, '...')) {
      return [{ value: this.value(element, depth, isConstraint), digest: undefined }];
    }
    const digest = element['...'];
    if (typeof digest !== 'string' || Object.keys(element).length > 1) {
      this.#fail('An element with the name ... has other members, or no digest.');
      return [];
    }
    const found = this.#take(digest);
    if (found?.name !== undefined) this.#fail('A disclosure with a name stands for an element of an array.');
    return found === undefined ? [] : [{ value: this.value(found.value, depth, isConstraint), digest }];
  }

  object(object: JsonObject, depth: number, isConstraint = false): JsonObject {
    if (this.#isTooDeep(depth)) return {};
    const { _sd: digests = [], ...plain } = object;
    const reserved = RESERVED.find((name) => Object.hasOwn(plain, name));
    if (reserved !== undefined) this.#fail(`The name ${reserved} stands where it must not.`);
    const members = new Map(Object.entries(plain).map(([name, value]) => [name, this.#member(name, value, depth)]));
    const withheld: unknown[] = [];
    if (!Array.isArray(digests)) this.#fail('The member _sd is no array of digests.');
    for (const digest of Array.isArray(digests) ? digests : []) {
      const found = this.#take(digest);
      if (found === undefined) {
        withheld.push(digest);
        continue;
      }
      if (found.name === undefined) this.#fail('A disclosure without a name stands for a member.');
      else if (members.has(found.name)) this.#fail(`The member ${found.name} is there twice.`);
      else members.set(found.name, this.#member(found.name, found.value, depth));
    }
    // What has constraints is an open mandate: what it sets binds as they do.
    if ((isConstraint || members.has('constraints')) && withheld.length > 0) members.set('_sd', withheld);
    return Object.fromEntries(members);
  }

  /** @returns the digests that only `_sd` names */
  mirror(digests: readonly unknown[]): readonly unknown[] {
    if (new Set(digests).size < digests.length) this.#fail('A digest stands twice in _sd.');
    return digests.filter((digest) => typeof digest !== 'string' || !this.#named.has(digest));
  }

  /** What is resolved apart from the other members must not be disclosed among them. */
  refuseClash(members: JsonObject, name: string): void {
    if (Object.hasOwn(members, name)) this.#fail(`The member ${name} is there twice.`);
  }

  refuseUnused(): void {
    const unused = [...this.#disclosures.keys()].filter((digest) => !this.#named.has(digest));
    if (unused.length > 0) this.#fail(`${unused.length} of the disclosures are named by no digest.`);
  }

  #take(digest: unknown): Disclosure | undefined {
    if (typeof digest !== 'string') {
      this.#fail('A digest is no text.');
      return undefined;
    }
    if (this.#named.has(digest)) this.#fail('A digest is there twice.');
    this.#named.add(digest);
    const found = this.#disclosures.get(digest);
    if (found === undefined) this.hidden += 1;
    return found;
  }

  #isTooDeep(depth: number): boolean {
    if (depth > MOST_DEPTH) this.#fail(`Disclosures nest deeper than ${MOST_DEPTH}.`);
    return depth > MOST_DEPTH;
  }

  #fail(fault: string): void {
    this.fault ??= fault;
  }
}

function readDisclosure(text: string): Disclosure | { readonly fault: string } {
  const parts = jsonIn(text);
  const isTuple = Array.isArray(parts) && typeof parts[0] === 'string' && (parts.length === 2 || parts.length === 3);
  if (!isTuple) return { fault: 'A disclosure is no array of salt, name and value in base64url.' };
  const [, ...rest] = parts as readonly unknown[];
  const name = rest.length === 2 ? rest[0] : undefined;
  if (name !== undefined && typeof name !== 'string') return { fault: 'A disclosure has a name that is no text.' };
  if (name !== undefined && RESERVED.includes(name)) return { fault: `A disclosure has the reserved name ${name}.` };
  return { name, value: rest.at(-1) };
}
