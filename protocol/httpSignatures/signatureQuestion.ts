/** The data part by which an agent has a request signed. */
import type { Question } from '../a2a/question.ts';
import { type HttpSignature, HttpSignatureRequest } from './httpSignature.ts';

export const signatureQuestion: Question = {
  name: 'countersign.httpSignature',
  resultName: 'countersign.httpSignatureResult',
  operation: 'signHttpRequest',
  extension: 'http-signatures',
  schema: () => HttpSignatureRequest,
  sentence(result) {
    const { headers, expiresAt } = result as HttpSignature;
    return `Send the request once, with ${Object.keys(headers).join(', ')}, until ${expiresAt}.`;
  },
};
