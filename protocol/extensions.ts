/** What extensions add to what peers see, in the order in which it is read. */
import type { ExchangePart } from './a2a/exchangePart.ts';
import type { Question } from './a2a/question.ts';
import { acpParts } from './acp/acpParts.ts';
import { mandateParts } from './ap2/exchangeParts.ts';
import { externalParts } from './external/externalParts.ts';
import { signatureQuestion } from './httpSignatures/signatureQuestion.ts';

/** Data parts that begin a task. */
export const extensionParts: readonly ExchangePart[] = [
  ...mandateParts, // AP2 v0.1 and v0.2, Verifiable Intent.
  ...externalParts, // Payments that are made elsewhere.
  ...acpParts, // Checkout sessions of ACP.
];

/** Data parts that are answered at once. */
export const extensionQuestions: readonly Question[] = [signatureQuestion];
