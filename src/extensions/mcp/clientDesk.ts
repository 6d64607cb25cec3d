/** The tools over stdio ask a node over REST, with the key that the program was started with. */
import { randomUUID } from 'node:crypto';
import { CountersignError } from '../../../client/error.ts';
import type { Client } from '../../../client/rest.ts';
import { FAULTS, Fault, type FaultCode } from '../../../protocol/wire/fault.ts';
import type { Desk } from '../tool.ts';

/** What is sealed stays here: this process ends with the connection of its one client. */
const MOST_STATES = 1000;

/** @param named the agent that buys; without it the one that the key is bound to, which the node says when it is asked first */
export function clientDesk(client: Client, named: string | undefined): Desk {
  const states = new Map<string, object>();
  let bound: { readonly did: string | undefined } | undefined;
  return {
    async agent() {
      if (named !== undefined) return named;
      bound ??= await boundAgent(client);
      return bound.did;
    },
    callerId: 'stdio',
    async ask(name, input) {
      try {
        return (await (client[name as keyof Client] as (given: object) => Promise<never>)(input as object)) as never;
      } catch (error) {
        throw error instanceof CountersignError ? faultOf(error) : error;
      }
    },
    async seal(state) {
      const id = randomUUID();
      states.set(id, state);
      if (states.size > MOST_STATES) states.delete(states.keys().next().value as string);
      return id;
    },
    open: async (id) => states.get(id),
  };
}

async function boundAgent(client: Client): Promise<{ readonly did: string | undefined }> {
  try {
    const { agents = [] } = await client.currentUser({});
    return { did: agents.length === 1 ? agents[0] : undefined };
  } catch (error) {
    throw error instanceof CountersignError ? faultOf(error) : error;
  }
}

/** An error as the node gave it; one of the connection is of the node's reach. */
function faultOf({ code, message, details }: CountersignError): Fault {
  return new Fault(code in FAULTS ? (code as FaultCode) : 'UNAVAILABLE', message, details);
}
