/** Where backups go besides the node's own disk: what a place is, and what is done there. */

/** As an owner names it, without what it is opened with. */
export type BackupLocation =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 'bucket';
      /** Of the service, without the bucket. */
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      /** What the names of its files begin with there, such as `node-1/`. */
      readonly prefix: string;
      readonly accessKeyId: string;
    };

export interface BackupTarget {
  /** Finds out whether backups can be kept there. @throws Error that says why not */
  prepare(): Promise<void>;
  /**
   * Keeps a file there as a whole or not at all.
   * @param bytes how long it is
   * @throws Error that says why it could not
   */
  put(fileName: string, pieces: AsyncIterable<Uint8Array>, bytes: number): Promise<void>;
  /**
   * @param bytes how long it should be
   * @throws Error where it is not there
   */
  read(fileName: string, bytes: number): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Removes what is left of files that were begun and never kept, where that takes room which no list of files shows.
   * @param own what the names of this node's own files begin with, of which none may be under way
   * @param now milliseconds since the epoch
   * @throws Error where the place does not tell of them
   */
  sweep?(own: string, now: number): Promise<void>;
  /** One that is not there is removed. */
  remove(fileName: string): Promise<void>;
}
