/** The data part of a toy: a letter of a person in plain words, which asks for an intent. */
import { z } from 'zod';
import type { Exchange, ExchangePart } from '../../../protocol/a2a/exchangePart.ts';

export interface LetterExchange extends Exchange {
  readonly kind: 'letter';
  readonly input: {
    readonly agentDid: string;
    readonly principalDid: string;
    readonly request: object;
    readonly delegationId: string;
  };
}

/** The only letter there is, under the id that an intent names it by. */
export const LETTER_ID = `dlg_${'0'.repeat(26)}`;

const Letter = z.strictObject({ agentDid: z.string(), principalDid: z.string(), words: z.string() });

export const letterParts: readonly ExchangePart[] = [
  {
    name: 'toy.letter',
    schema: () =>
      Letter.transform(({ words, ...parties }): LetterExchange => {
        const maxAmount = Number(/\d+/.exec(words)?.[0]);
        const input = { ...parties, request: { maxAmount, currency: 'USD' }, delegationId: LETTER_ID };
        return { kind: 'letter', input };
      }),
  },
];
