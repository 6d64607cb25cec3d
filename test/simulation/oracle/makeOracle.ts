/**
 * The oracle of the simulator: an independent model, written from what the interface promises and not from the node's code. It
 * follows what agents, rail and receivers saw, and judges it by eight invariants (docs/explanation/reliability.md). What was acknowledged
 * counts; of what got no answer both outcomes are held possible until the chain shows which.
 */
import type { Happening, Oracle, Violation } from '../history.ts';
import { AllowanceLaw } from './allowanceLaw.ts';
import { AnswerLaw } from './answerLaw.ts';
import { BudgetLaw } from './budgetLaw.ts';
import { Calls } from './calls.ts';
import { ChainLaw } from './chainLaw.ts';
import { CheckoutLaw } from './checkoutLaw.ts';
import { DecisionLaw } from './decisionLaw.ts';
import { DeliveryLaw } from './deliveryLaw.ts';
import { DisputeLaw } from './disputeLaw.ts';
import { ElsewhereLaw } from './elsewhereLaw.ts';
import { EndLaw } from './endLaw.ts';
import { HttpPaymentLaw } from './httpPaymentLaw.ts';
import { KeyLaw } from './keyLaw.ts';
import type { Law } from './law.ts';
import { MandateLaw } from './mandateLaw.ts';
import { placesOf } from './mentions.ts';
import { PresenceLaw } from './presenceLaw.ts';
import { ProofLaw } from './proofLaw.ts';
import { PurchaseLaw } from './purchaseLaw.ts';
import { RailLaw } from './railLaw.ts';
import { RetentionLaw } from './retentionLaw.ts';
import { StatusLaw } from './statusLaw.ts';
import { TaskLaw } from './taskLaw.ts';

/** Of one happening at most so many are told: the first ones say what is wrong. */
const MOST = 20;

export function makeOracle(): Oracle {
  const history: Happening[] = [];
  const calls = new Calls();
  let forgotten = 0;
  const purchases = new PurchaseLaw(calls, (ids) => placesOf(history, ids).map((place) => place + forgotten));
  const end = new EndLaw(calls);
  const chain = new ChainLaw();
  const laws: readonly Law[] = [
    end,
    new RailLaw(),
    new DisputeLaw(),
    new AllowanceLaw(calls),
    // The order counts: answers are compared with the model, which reads the chain first.
    purchases,
    new BudgetLaw((hash) => purchases.rulesOf(hash)),
    new AnswerLaw(calls, purchases.model),
    chain,
    new KeyLaw(calls),
    new ProofLaw(calls, (size) => chain.rootAt(size)),
    new RetentionLaw(calls),
    new DeliveryLaw(calls),
    new PresenceLaw(calls, (hash) => purchases.rulesOf(hash)),
    new TaskLaw(calls),
    new StatusLaw(),
    new DecisionLaw(calls),
    new MandateLaw(),
    new CheckoutLaw(),
    new HttpPaymentLaw(calls),
    new ElsewhereLaw(calls),
  ];
  return {
    tell(happening) {
      const place = forgotten + history.push(happening) - 1;
      calls.follow(happening, place);
      const found: Violation[] = [];
      for (const law of laws) found.push(...law.tell(happening, place));
      return theFirst(found);
    },
    forget(kept, at) {
      const place = forgotten + history.length;
      forgotten += history.splice(0, Math.max(0, history.length - kept)).length;
      calls.forget(place);
      for (const law of laws) law.forget?.(place, at);
    },
    end: () => theFirst(end.openAt(history.length === 0 ? undefined : forgotten + history.length - 1)),
  };
}

/** Of each invariant one at least. */
function theFirst(found: readonly Violation[]): readonly Violation[] {
  const kinds = new Set(found.map(({ invariant }) => invariant));
  const ofEach = [...kinds].map((kind) => found.find(({ invariant }) => invariant === kind) as Violation);
  return [...new Set([...ofEach, ...found])].slice(0, MOST);
}
