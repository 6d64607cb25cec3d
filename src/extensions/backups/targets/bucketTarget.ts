/** Backups in a bucket of Amazon S3, or of a service that speaks its protocol. */
import type { S3mini } from 's3mini';
import { z } from 'zod';
import { failureOf } from '../../../fetch/failure.ts';
import type { AddressOptions } from '../../../fetch/target.ts';
import type { BackupLocation, BackupTarget } from './backupTarget.ts';

type Bucket = Extract<BackupLocation, { kind: 'bucket' }>;

/** The service takes 10,000 parts of one file, each of 5 MiB or more. */
const PART_BYTES = 16 * 1024 ** 2;
const MOST_PARTS = 9000;
/** Of one request: a part over a slow line. */
const REQUEST_MS = 600_000;
/** A person waits for it. */
const PROBE_MS = 20_000;
const LONGEST_MS = 2 ** 31 - 1;
/** Of an answer that is no backup. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_LIST_BYTES = 2 * 1024 ** 2;

/**
 * @param secret that belongs to the place's accessKeyId
 * @param stopping ends what is under way
 */
export function bucketTarget(
  place: Bucket,
  secret: string,
  options: AddressOptions,
  stopping: AbortSignal,
): BackupTarget {
  const keyOf = (fileName: string) => place.prefix + fileName;
  const using = <Result>(work: (client: S3mini) => Promise<Result>, mostMs = REQUEST_MS) => {
    const endOf = () => AbortSignal.any([stopping, AbortSignal.timeout(Math.min(mostMs, LONGEST_MS))]);
    return withClient(place, secret, options, endOf, work);
  };
  return {
    async prepare() {
      const key = keyOf('countersign-probe.txt');
      await using(async (client) => {
        await client.putObject(key, 'Backups of a Countersign node go here.\n', 'text/plain');
        await client.deleteObject(key);
      }, PROBE_MS);
    },
    put: (fileName, pieces, bytes) =>
      using((client) =>
        bytes <= PART_BYTES
          ? gather(pieces).then(async (whole) => void (await client.putObject(keyOf(fileName), whole, MEDIA_TYPE)))
          : putInParts(client, keyOf(fileName), pieces, Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS))),
      ),
    async read(fileName, bytes) {
      const mostMs = REQUEST_MS * Math.ceil(bytes / PART_BYTES);
      return using(async (client) => {
        const { body } = await client.getObjectRaw(keyOf(fileName));
        if (body === null) throw new Error(`${fileName} is empty there`);
        return told(body as unknown as AsyncIterable<Uint8Array>, place);
      }, mostMs);
    },
    sweep: (own, now) => using((client) => abortUnfinished(client, place.prefix, own, now), PROBE_MS),
    remove: (fileName) => using(async (client) => void (await client.deleteObject(keyOf(fileName)))),
  };
}

const MEDIA_TYPE = 'application/x-tar';

async function putInParts(client: S3mini, key: string, pieces: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  const upload = await client.getMultipartUploadId(key, MEDIA_TYPE);
  try {
    const parts = [];
    for await (const part of inParts(pieces, size)) {
      parts.push(await client.uploadPart(key, upload, part, parts.length + 1));
    }
    await client.completeMultipartUpload(key, upload, parts);
  } catch (error) {
    // Parts of what is never completed are paid for all the same.
    await client.abortMultipartUpload(key, upload).catch(() => {});
    throw error;
  }
}

/** An upload of another node has ended by then, one way or the other. */
const UPLOAD_LIFE_MS = 24 * 3600 * 1000;
/** Of one look; others wait for the next one. */
const MOST_LISTED = 1000;
const BACKUP_NAME = /^countersign-[^/]{1,40}-\d{8}T\d{6}Z\.tar$/;

const Upload = z.object({ Key: z.string(), UploadId: z.string().min(1), Initiated: z.iso.datetime({ offset: true }) });
const Listed = z.object({
  ListMultipartUploadsResult: z.object({ Upload: z.union([Upload, z.array(Upload)]).optional() }),
});

/** A node that was killed while it sent a backup leaves parts, which are paid for and which no list of objects shows. */
async function abortUnfinished(client: S3mini, prefix: string, own: string, now: number): Promise<void> {
  const asked = { prefix: `${prefix}countersign-`, 'max-uploads': MOST_LISTED };
  // The library's argument for the prefix is not sent.
  const listed = Listed.safeParse(await client.listMultipartUploads('/', '', 'GET', asked));
  if (!listed.success) throw new Error('The list of unfinished uploads cannot be read');
  for (const { Key, UploadId, Initiated } of [listed.data.ListMultipartUploadsResult.Upload ?? []].flat()) {
    const name = Key.startsWith(prefix) ? Key.slice(prefix.length) : '';
    if (!BACKUP_NAME.test(name)) continue;
    if (name.startsWith(own) || Date.parse(Initiated) < now - UPLOAD_LIFE_MS)
      await client.abortMultipartUpload(Key, UploadId);
  }
}

/** @returns pieces of that many bytes each, but for the last */
async function* inParts(pieces: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    while (bytes >= size) {
      const whole = Buffer.concat(waiting, bytes);
      yield whole.subarray(0, size);
      waiting = [whole.subarray(size)];
      bytes -= size;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Connections for one piece of work, since hours go by until the next. @throws Error in words */
async function withClient<Result>(
  { endpoint, bucket, region, accessKeyId }: Bucket,
  secretAccessKey: string,
  options: AddressOptions,
  endOf: () => AbortSignal,
  work: (client: S3mini) => Promise<Result>,
): Promise<Result> {
  const { S3mini } = await import('s3mini');
  const { makeAgent, fetchBy } = await import('../../../fetch/undiciAgent.ts');
  const agent = makeAgent(options);
  const fetchAll = fetchBy(agent, endOf);
  const fetchThere: typeof fetch = async (input, init) => {
    const response = await fetchAll(input, init);
    if (!response.ok || init?.method !== 'GET') return bounded(response, MOST_ANSWER_BYTES);
    return new URL(String(input)).searchParams.has('uploads') ? bounded(response, MOST_LIST_BYTES) : response;
  };
  const address = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  try {
    return await work(new S3mini({ endpoint: address, region, accessKeyId, secretAccessKey, fetch: fetchThere }));
  } catch (error) {
    throw inWords(error, new URL(endpoint).host);
  } finally {
    // It waits for an answer that is still read.
    void agent.close();
  }
}

/** The library takes an answer as a whole: one without end must not take the memory of the node. */
async function bounded(response: Response, most: number): Promise<Response> {
  if (response.body === null) return response;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= most) break;
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(pieces).subarray(0, most), {
    status,
    statusText,
    headers: [...headers],
  });
}

/** An answer that is cut off, in words. */
async function* told(pieces: AsyncIterable<Uint8Array>, { endpoint }: Bucket): AsyncIterable<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    const { host } = new URL(endpoint);
    throw new Error(`${host} broke off its answer (${failureOf(firstCause(error), true)})`, { cause: error });
  }
}

function inWords(error: unknown, host: string): unknown {
  const { status, serviceCode, cause } = error as { status?: number; serviceCode?: string; cause?: unknown };
  if (status !== undefined) {
    const code = serviceCode === undefined ? '' : ` (${serviceCode})`;
    return new Error(`${host} answered ${status}${code}`, { cause: error });
  }
  if (cause === undefined) return error;
  return new Error(`${host} cannot be reached (${failureOf(firstCause(cause), false)})`, { cause: error });
}

/** What the libraries between have wrapped. */
function firstCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : error;
}
