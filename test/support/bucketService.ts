/**
 * A double of Amazon S3 for one bucket: objects in memory, parts of uploads, and the signature of each request, which another library
 * than the node's computes once more from what came over the wire.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';

const KEY = { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret/of+the=test' };
export const BUCKET_KEY = KEY;

export interface BucketService {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly objects: Map<string, Buffer>;
  /** Uploads that were begun and neither completed nor aborted. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  /** Which object each is to become, and when it was begun. */
  readonly begun: Map<string, { readonly key: string; readonly at: string }>;
  /** Whether a key may list them. */
  listsUploads: boolean;
  /** What is answered in place of an answer, by the method; for refusals. */
  refuse: string | undefined;
  close(): Promise<void>;
}

export async function bucketService(): Promise<BucketService> {
  const [objects, uploads] = [new Map<string, Buffer>(), new Map<string, Map<number, Buffer>>()];
  const server = createServer((request, response) => {
    answer(request, service)
      .then(({ status, body = '', headers = {} }) => response.writeHead(status, headers).end(body))
      .catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: BucketService = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-test-1',
    bucket: 'ada-backups',
    objects,
    uploads,
    begun: new Map(),
    listsUploads: true,
    refuse: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(500).end(String(error));
}

async function answer(request: IncomingMessage, service: BucketService): Promise<Answer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const url = new URL(`${service.endpoint}${request.url}`);
  if (!(await isSigned(request, url, service.region))) return refusal(403, 'SignatureDoesNotMatch');
  if (service.refuse !== undefined && request.method === 'PUT') return refusal(403, service.refuse);
  const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== service.bucket) return refusal(404, 'NoSuchBucket');
  return perform(`${request.method}`, path.join('/'), url.searchParams, body, service);
}

function perform(method: string, key: string, query: URLSearchParams, body: Buffer, service: BucketService): Answer {
  const { objects, uploads } = service;
  const id = query.get('uploadId') ?? '';
  if (method === 'POST' && query.has('uploads')) {
    const opened = `upload-${service.begun.size + 1}`;
    uploads.set(opened, new Map());
    service.begun.set(opened, { key, at: new Date().toISOString() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${opened}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (method === 'GET' && query.has('uploads')) return listed(query.get('prefix') ?? '', service);
  const parts = uploads.get(id);
  if (id !== '' && parts === undefined) return refusal(404, 'NoSuchUpload');
  if (method === 'PUT') {
    const number = Number(query.get('partNumber'));
    if (parts === undefined) objects.set(key, body);
    else parts.set(number, body);
    return { status: 200, headers: { etag: `"part-${number}"` } };
  }
  if (method === 'POST' && parts !== undefined) {
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number));
    const isWhole = named.every((number, index) => number === index + 1 && parts.has(number));
    if (!isWhole || named.length !== parts.size) return refusal(400, 'InvalidPart');
    objects.set(key, Buffer.concat(named.map((number) => parts.get(number) as Buffer)));
    uploads.delete(id);
    return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }
  if (method === 'DELETE') {
    if (parts === undefined) objects.delete(key);
    else uploads.delete(id);
    return { status: 204 };
  }
  const found = objects.get(key);
  return found === undefined ? refusal(404, 'NoSuchKey') : { status: 200, body: found };
}

/** As Amazon S3 answers, with what a client has no use for. */
function listed(prefix: string, { uploads, begun, bucket, listsUploads }: BucketService): Answer {
  if (!listsUploads) return refusal(403, 'AccessDenied');
  const all = [...uploads.keys()].flatMap((id) => {
    const { key, at } = begun.get(id) ?? { key: '', at: '' };
    if (!key.startsWith(prefix)) return [];
    const owner = '<Owner><ID>75aa57f0</ID><DisplayName/></Owner>';
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>${owner}<Initiated>${at}</Initiated></Upload>`;
  });
  const head = `<Bucket>${bucket}</Bucket><KeyMarker></KeyMarker><Prefix>${prefix}</Prefix>`;
  const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  const body = `${head}<IsTruncated>false</IsTruncated>${all.join('')}`;
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListMultipartUploadsResult ${namespace}>${body}</ListMultipartUploadsResult>`,
  );
}

function xml(text: string): Answer {
  return { status: 200, body: text, headers: { 'content-type': 'application/xml' } };
}

function refusal(status: number, code: string): Answer {
  return { ...xml(`<Error><Code>${code}</Code></Error>`), status };
}

/** Whether Signature Version 4 over the headers that the request names is that of the key. */
async function isSigned(request: IncomingMessage, url: URL, region: string): Promise<boolean> {
  const given = request.headers.authorization ?? '';
  const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? [];
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
  const signer = new AwsV4Signer({
    ...KEY,
    method: `${request.method}`,
    url: url.href,
    headers,
    region,
    service: 's3',
    datetime: `${request.headers['x-amz-date']}`,
    allHeaders: true,
  });
  const { headers: signed } = await signer.sign();
  const told = (text: string) => /Signature=(\w+)/.exec(text)?.[1];
  return told(given) !== undefined && told(given) === told(signed.get('authorization') ?? '');
}
