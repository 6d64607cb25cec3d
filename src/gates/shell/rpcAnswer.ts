/** JSON-RPC 2.0 answers as text. A result that is already text is inserted unchanged. */

/** A result as it was stored and is sent. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value, for a reader that wants it. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer without its id, which belongs to the request it answers. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** The text of an answer, or of the answers to a batch. */
export function answerText(answer: RpcAnswer | readonly RpcAnswer[]): string {
  if (Array.isArray(answer)) return `[${answer.map(answerText).join(',')}]`;
  const { id, result } = answer as RpcAnswer;
  if (!(result instanceof JsonText)) return JSON.stringify(answer);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
}
