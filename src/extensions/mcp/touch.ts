/**
 * The touch of a person in the middle of a call: the client opens the approval's page for them (URL elicitation), and calls
 * again with what was sealed for it. That they opened the page is no approval: what counts is their decision there.
 */
import { inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApprovalLink } from '../../../protocol/approval.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import type { Desk, ToolContext, ToolResult } from '../tool.ts';

/** By which the client names the answer to the question. */
export const TOUCH = 'touch';

/** How long a call waits for the decision before it asks again; hosts end a call after about a minute. */
const WAIT_SECONDS = 25;

/** What comes back from the client is believed only as far as it was sealed here, for this caller and this call. */
const Begun = z.object({ approvalId: z.string(), callerId: z.string(), input: z.string(), link: z.unknown() });

export async function askForTouch(desk: Desk, approval: ApprovalLink, input: object): Promise<ToolResult> {
  const { id: approvalId, url, expiresAt } = approval;
  const state = { approvalId, callerId: desk.callerId, input: canonical(input), link: approval };
  return {
    asks: inputRequired({
      inputRequests: {
        [TOUCH]: inputRequired.elicitUrl({
          message: `This purchase needs a person’s approval by passkey, until ${expiresAt}.`,
          url: String(url),
        }),
      },
      requestState: await desk.seal(state),
    }),
  };
}

/** What the cart is sent with once more. It is another request than the one that was refused, so it has a key of its own. */
interface CartWithProof {
  readonly hpProof?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
}

/**
 * The proof that the person approved, where the client comes back from their page.
 * @returns undefined where it comes from nowhere; no proof where they denied or declined; the question once more while
 *   nothing is decided
 */
export async function proofOfTouch(
  { desk, returned }: ToolContext,
  input: object,
): Promise<CartWithProof | Extract<ToolResult, { asks: unknown }> | undefined> {
  const begun = Begun.safeParse(returned?.state).data;
  if (begun === undefined) return undefined;
  if (begun.callerId !== desk.callerId || begun.input !== canonical(input)) return undefined;
  if (returned?.action !== 'accept') return {};
  const approval = await desk.ask('getApproval', { id: begun.approvalId, wait: WAIT_SECONDS });
  if (approval.hpProof !== undefined)
    return { hpProof: approval.hpProof, idempotencyKey: `approval ${begun.approvalId}` };
  if (approval.status !== 'pending') return {};
  return (await askForTouch(desk, begun.link as ApprovalLink, input)) as Extract<ToolResult, { asks: unknown }>;
}
