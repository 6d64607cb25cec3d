/** What a model reaches of a node by MCP: the tools in their order, resources, and the prompt. The same over HTTP and over stdio. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Fault, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { readAsset } from '../../assets/assets.ts';
import { parseInput } from '../../usecase/useCase.ts';
import type { Desk, Tool, ToolParts } from '../tool.ts';
import { pay, requestIntent, validateCart } from './buying.ts';
import { checkLimits, checkStatus, getEvidence, listPurchases, policyExplain, waitForApproval } from './looking.ts';
import { authorizeHttpPayment, settleHttpPayment } from './payingTools.ts';
import { BUY, buyPrompt } from './prompt.ts';
import { RESOURCES, readResource, TEMPLATES } from './resources.ts';
import { TOUCH } from './touch.ts';

/** In the order in which a purchase calls them; those of other extensions come after them. */
const toolsOf = ({ tools, records }: ToolParts): readonly Tool[] => [
  requestIntent,
  validateCart,
  pay,
  authorizeHttpPayment,
  settleHttpPayment,
  checkStatus(records),
  waitForApproval,
  policyExplain,
  checkLimits,
  listPurchases,
  getEvidence,
  ...tools,
];

const INSTRUCTIONS =
  'This node decides whether an agent may spend a person’s money. A purchase goes: request_intent, then the merchant’s signed cart ' +
  'to validate_cart, then pay. A refusal is a result with allowed: false and its reasons; tell the person, and do not try to get around it.';

/** Lists are the same for every caller of one version. */
const LIST_HINT = { ttlMs: 300_000, cacheScope: 'public' } as const;

interface ServerParts {
  readonly version: string;
  readonly log: (error: Error) => void;
  /** What other extensions add. */
  readonly parts: ToolParts;
}

export function mcpServer(desk: Desk, { version, log, parts }: ServerParts): Server {
  const server = new Server(
    { name: 'countersign', title: 'Countersign', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': LIST_HINT,
        'prompts/list': LIST_HINT,
        'resources/list': LIST_HINT,
        'resources/templates/list': LIST_HINT,
      },
      requestState: {
        async verify(state) {
          const opened = await desk.open(state);
          if (opened === undefined) throw new Error('This request state is not one of this node.');
          return opened;
        },
      },
    },
  );
  server.onerror = log;
  server.setRequestHandler('tools/list', async () => ({ tools: listedTools(parts) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const called = toolsOf(parts).find(({ name }) => name === params.name);
    if (called === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return callTool(server, desk, called, params.arguments ?? {}, context);
  });
  server.setRequestHandler('resources/list', async () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(desk, params.uri, readAsset).catch((error: unknown) => {
      throw hidden(server, error);
    }),
  );
  server.setRequestHandler('prompts/list', async () => ({ prompts: [BUY] }));
  server.setRequestHandler('prompts/get', async ({ params }) => buyPrompt(params.name, params.arguments ?? {}));
  return server;
}

/** An unforeseen error is logged, and the client learns no word of it: the library would answer with its text. */
function hidden(server: Server, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  server.onerror?.(error instanceof Error ? error : new Error(String(error)));
  return new ProtocolError(ProtocolErrorCode.InternalError, WENT_WRONG);
}

/** A refusal is a result; what is wrong with a call is one too, so that a model reads it and does better. */
async function callTool(
  server: Server,
  desk: Desk,
  called: Tool,
  given: object,
  { mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const input = parseInput(called.input, given);
    const state = mcpReq.requestState();
    const response = inputResponse(mcpReq.inputResponses, TOUCH);
    const action = response.kind === 'elicit' ? response.action : undefined;
    const result = await called.run(
      {
        desk,
        opensUrls: opensUrls(server, mcpReq),
        returned: state === undefined ? undefined : { state, action },
      },
      input as never,
    );
    if ('asks' in result) return result.asks;
    const { output, text } = result;
    return { content: textsOf(text, output), structuredContent: output as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof Fault)) throw hidden(server, error);
    return { isError: true, content: [{ type: 'text', text: inertText(`${error.shownCode}: ${error.message}`) }] };
  }
}

/** The sentence, and the data once more: there are clients that give a model texts alone, and it would never see an approvalToken. */
function textsOf(sentence: string, output: object): CallToolResult['content'] {
  return [...new Set([sentence, JSON.stringify(output)])].map((text) => ({ type: 'text', text }));
}

type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };

/** Today's clients say with each message what they can; those before said it once. */
function opensUrls(server: Server, { envelope }: ServerContext['mcpReq']): boolean {
  const declared = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return declared?.elicitation?.url !== undefined;
}

const listed = new WeakMap<ToolParts, ReturnType<typeof describe>[]>();

/** Made once: schemas do not change while a program runs. */
function listedTools(parts: ToolParts): ReturnType<typeof describe>[] {
  const made = listed.get(parts) ?? toolsOf(parts).map(describe);
  listed.set(parts, made);
  return made;
}

function describe({ name, title, description, input, output, hints }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: jsonSchemaOf(output, 'output'),
    annotations: { title, ...hints, openWorldHint: false },
  };
}

function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output') {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as { type: 'object'; [member: string]: unknown };
}
