/** Checks pieces of a chain beside the page: text in, what holds of it out. */
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { type CheckedPiece, checkPiece } from '../../protocol/evidence/chainPieces.ts';

/** Lines of an export, and which piece they are. */
export interface PieceTask {
  readonly number: number;
  readonly text: string;
}

export interface PieceResult {
  readonly number: number;
  /** Undefined where the lines are no events. */
  readonly piece: CheckedPiece | undefined;
}

/** As much of a worker's scope as is used here: the types of both scopes exclude each other. */
interface Scope {
  onmessage: ((event: MessageEvent<PieceTask>) => void) | null;
  postMessage(result: PieceResult, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;

scope.onmessage = ({ data: { number, text } }) => {
  const piece = checked(text);
  scope.postMessage({ number, piece }, piece === undefined ? [] : [piece.leaves.buffer]);
};

function checked(text: string): CheckedPiece | undefined {
  try {
    const piece = checkPiece(nobleSuite, text.split('\n'));
    return { ...piece, leaves: piece.leaves.slice() };
  } catch {
    return undefined;
  }
}
