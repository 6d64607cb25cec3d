/** Examples: whose money is spent, and which agents may spend it. */
import { AGENT, AT } from './story/story.ts';

const HOUSEHOLD = 'did:key:z6MkpGHjy59Y67tdQGcPzB6Men74uwSmaC5FauUzgdJY2aBZ';
const principal = { did: HOUSEHOLD, name: 'Lovelace household', agents: [AGENT], createdAt: AT };

export const principalExamples = {
  registerPrincipal: {
    input: { did: HOUSEHOLD, name: 'Household', agents: [] },
    output: { ...principal, name: 'Household', agents: [] },
  },
  changePrincipal: { input: { did: HOUSEHOLD, name: principal.name, agents: [AGENT] }, output: principal },
  getPrincipal: { input: { did: HOUSEHOLD }, output: principal },
  listPrincipals: { input: { limit: 20 }, output: { data: [principal], hasMore: false, cursor: null } },
};
