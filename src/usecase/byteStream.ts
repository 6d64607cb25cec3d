/** An answer that is too long to be held in memory: the gate sends its pieces as they come. */
export class ByteStream {
  readonly contentType: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Under which name a browser saves it; undefined for what is to be read at once. */
  readonly fileName: string | undefined;

  constructor(contentType: string, pieces: AsyncIterable<string | Uint8Array>, fileName?: string) {
    this.contentType = contentType;
    this.pieces = pieces;
    this.fileName = fileName;
  }
}
