/** A constraint of an open mandate: one entry of a table, with its schema, its clause and what is judged by it. */
import type { z } from 'zod';
import type { ReasonCode } from '../reason.ts';
import type { ChainProfile } from './chainProfile.ts';
import type { CheckoutTerms, ClosedPayment } from './mandateContent.ts';
import type { SdAlgorithm } from './sdHash.ts';
import { isObject, type JsonObject } from './sdJwt.ts';
import type { Violation } from './violation.ts';

/** What a constraint on a payment is judged by. */
export interface ConstraintPayment {
  readonly payment: ClosedPayment;
  /** The open mandate that the constraint stands in. */
  readonly open: JsonObject;
  /** The verifier's time, in seconds since the epoch. */
  readonly at: number;
  /** Whether the verifier pays at once: then a date that the agent states does not stand in place of its time. */
  readonly isPaidNow?: boolean | undefined;
  /** The hashes of the open checkout mandates that the verifier was given, by an algorithm; undefined where it has none. */
  openCheckoutHashes(algorithm: SdAlgorithm): readonly string[] | undefined;
  /** The algorithm of the token that the constraint stands in. */
  readonly algorithm: SdAlgorithm;
}

/** What a constraint on a checkout is judged by. */
export interface CheckoutFacts {
  readonly checkout: CheckoutTerms;
}

export interface ConstraintFinding {
  readonly code: ReasonCode;
  readonly detail: string;
}

export interface ConstraintRule<Facts> {
  readonly clause: string;
  judge(constraint: JsonObject, facts: Facts): readonly ConstraintFinding[];
}

/** By type, without the profile's prefix. */
export interface ConstraintRules {
  readonly payment: Readonly<Record<string, ConstraintRule<ConstraintPayment>>>;
  readonly checkout: Readonly<Record<string, ConstraintRule<CheckoutFacts>>>;
}

/** @param hint what the sentence adds where the constraint is malformed */
export function constraintRule<Schema extends z.ZodType, Facts>(
  clause: string,
  schema: Schema,
  judge: (constraint: z.output<Schema>, facts: Facts) => readonly ConstraintFinding[],
): ConstraintRule<Facts> {
  return {
    clause,
    judge(constraint, facts) {
      const read = schema.safeParse(constraint);
      return read.success
        ? judge(read.data, facts)
        : [{ code: 'MANDATE_INVALID', detail: malformed(constraint, read.error) }];
    },
  };
}

/**
 * Judges every constraint of an open mandate.
 * @param rules of the kind of mandate it is
 */
export function judgeConstraints<Facts>(
  { prefix, clauses }: Pick<ChainProfile, 'prefix' | 'clauses'>,
  rules: Readonly<Record<string, ConstraintRule<Facts>>>,
  open: JsonObject,
  facts: Facts,
): readonly Omit<Violation, 'hop'>[] {
  const unresolved = (detail: string) =>
    ({ code: 'CONSTRAINT_UNRESOLVED', detail, clause: clauses.unknownConstraint }) as const;
  const constraints = open['constraints'] as readonly unknown[];
  const found = constraints.flatMap((constraint) => {
    if (isObject(constraint) && ['...', '_sd'].some((name) => Object.hasOwn(constraint, name))) {
      return [unresolved('A constraint, or a member of one, was withheld, so it counts as broken.')];
    }
    const type = isObject(constraint) ? constraint['type'] : undefined;
    if (!isObject(constraint) || typeof type !== 'string') {
      return [{ code: 'MANDATE_INVALID', detail: 'A constraint has no type.', clause: clauses.mandate } as const];
    }
    const rule = ruleFor(rules, prefix, type);
    if (rule === undefined) return [unresolved(`The constraint ${type} is not known here, so it counts as broken.`)];
    return rule.judge(constraint, facts).map((finding) => ({ ...finding, clause: rule.clause }));
  });
  const repeated = COUNTED.map((name) => `${prefix}${name}`).filter(
    (name) => constraints.filter((each) => isObject(each) && each['type'] === name).length > 1,
  );
  return [
    // Decoys (RFC 9901 section 4.2.5) cannot be told from a member that binds, so a mandate with decoys is refused too.
    ...(Object.hasOwn(open, '_sd')
      ? [unresolved('A member of the open mandate was withheld, so it counts as broken.')]
      : []),
    ...repeated.map((name) =>
      unresolved(`There is more than one constraint ${name}, and uses are counted by one of each.`),
    ),
    ...found,
  ];
}

/** The constraints of which uses are counted (see useLimitOf): a second one would be judged by each payment alone. */
const COUNTED = ['payment.agent_recurrence', 'payment.budget', 'payment.recurrence'];

function ruleFor<Facts>(
  rules: Readonly<Record<string, ConstraintRule<Facts>>>,
  prefix: string,
  type: string,
): ConstraintRule<Facts> | undefined {
  const name = type.slice(prefix.length);
  return type.startsWith(prefix) && Object.hasOwn(rules, name) ? rules[name] : undefined;
}

function malformed(constraint: JsonObject, error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.');
  return `The constraint ${String(constraint['type'])} is malformed${path === '' ? '' : ` at "${path}"`}: ${issue?.message}.`;
}
