/** Checks pieces of a chain beside the page: bytes in, what holds of them out. */
import { createSHA256 } from 'hash-wasm';
import { nobleSuite, type Suite } from '../../protocol/credential/ed25519.ts';
import { type CheckedPiece, checkPiece } from '../../protocol/evidence/chainPieces.ts';

/** Lines of an export, and which piece they are. */
export interface PieceTask {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Sizes of the chain whose roots are asked for. */
  readonly cuts: readonly number[];
}

export interface PieceResult {
  readonly number: number;
  /** Undefined where the lines are no events. */
  readonly piece: CheckedPiece | undefined;
}

/** As much of a worker's scope as is used here: the types of both scopes exclude each other. */
interface Scope {
  onmessage: ((event: MessageEvent<PieceTask>) => void) | null;
  postMessage(result: PieceResult): void;
}

const scope = globalThis as unknown as Scope;
const suite = fastSuite();

scope.onmessage = ({ data: { number, bytes, cuts } }) => {
  void suite.then((hashing) => scope.postMessage({ number, piece: checked(hashing, bytes, cuts) }));
};

function checked(hashing: Suite, bytes: Uint8Array, cuts: readonly number[]): CheckedPiece | undefined {
  try {
    return checkPiece(hashing, bytes, cuts);
  } catch {
    return undefined;
  }
}

/** SHA-256 as WebAssembly, several times as fast; in JavaScript where a browser runs none, as under iOS's Lockdown Mode. */
async function fastSuite(): Promise<Suite> {
  try {
    const hasher = await createSHA256();
    return { ...nobleSuite, sha256Bytes: (bytes) => hasher.init().update(bytes).digest('binary') };
  } catch {
    return nobleSuite;
  }
}
