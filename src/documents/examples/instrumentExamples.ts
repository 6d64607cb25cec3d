/** Examples: what an agent pays with. */
import { AGENT, AT } from './story/story.ts';

const instrument = {
  id: 'ins_01m7yh6hq1a4d7g0k3n6q9s2v5',
  agentDid: AGENT,
  paymentMethod: 'pm_card_visa',
  createdAt: AT,
};

export const instrumentExamples = {
  addInstrument: { input: { agentDid: AGENT, paymentMethod: instrument.paymentMethod }, output: instrument },
  listInstruments: { input: { limit: 20 }, output: { data: [instrument], hasMore: false, cursor: null } },
  removeInstrument: { input: { id: instrument.id } },
} as const;
