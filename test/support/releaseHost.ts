/** A host of releases on this machine, with the paths of a GitHub repository, which gives what a test puts there. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReleaseHost {
  /** As `--from` takes it. */
  readonly address: string;
  /** By path: `latest/download/SHA256SUMS`. A function answers by itself. */
  readonly files: Map<string, Buffer>;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** Paths whose answer ends after half of its bytes. */
  readonly cut: Set<string>;
  close(): void;
}

export async function startReleaseHost(): Promise<ReleaseHost> {
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  const cut = new Set<string>();
  const server = createServer((request, response) => {
    const path = String(request.url).replace(/^\/releases\//, '');
    asked.push(path);
    const file = files.get(path);
    if (file === undefined) return response.writeHead(404).end('Not Found');
    response.writeHead(200, { 'Content-Length': file.length });
    if (!cut.has(path)) return response.end(file);
    response.write(file.subarray(0, file.length / 2), () => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}/releases`, files, asked, cut, close };
}

export interface ReleaseKey {
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo in base64. */
  readonly publicKey: string;
}

export function makeReleaseKey(): ReleaseKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
}

/** Puts signed checksums where they are looked for. @param place such as `latest/download` */
export function putSums(host: ReleaseHost, place: string, sums: string, { privateKey }: ReleaseKey): void {
  host.files.set(`${place}/SHA256SUMS`, Buffer.from(sums));
  host.files.set(`${place}/SHA256SUMS.sig`, sign(null, Buffer.from(sums), privateKey));
}
