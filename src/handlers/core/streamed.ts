/** An answer that is too long to be held in memory: the gate sends its pieces as they come. */
export class Streamed {
  readonly contentType: string;
  readonly pieces: AsyncIterable<string>;

  constructor(contentType: string, pieces: AsyncIterable<string>) {
    this.contentType = contentType;
    this.pieces = pieces;
  }
}
