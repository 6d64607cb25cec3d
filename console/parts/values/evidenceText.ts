/** Types of evidence events in words: `HP_VERIFIED` as "Passkey verified". */
import { wordsOf } from './codeText.ts';

/** What the first word of a type stands for. */
const SHORT: Readonly<Record<string, string>> = {
  HP: 'Passkey',
  PM: 'Payment mandate',
  PRINCIPAL: 'Person or company',
  SPT: 'Shared payment token',
};

export function evidenceText(type: string): string {
  const [first = '', ...more] = type.split('_');
  const full = SHORT[first];
  return full === undefined ? wordsOf(type) : [full, ...more.map((word) => word.toLowerCase())].join(' ');
}
