/** What documents tell of mandates: an example of each operation, and the schemas that they call by name. */
import { Delegation } from '../../../protocol/ap2/delegation.ts';
import { MandateIssuer } from '../../../protocol/ap2/mandateIssuer.ts';
import { chainExamples } from './examples/chainExamples.ts';
import { ap2CartExamples, ucpCartExamples } from './examples/mandateCartExamples.ts';
import { mandateIssuerExamples } from './examples/mandateIssuerExamples.ts';

export const documents = {
  examples: { ...mandateIssuerExamples, ...ap2CartExamples, ...ucpCartExamples, ...chainExamples },
  outputs: { Delegation, MandateIssuer },
};
