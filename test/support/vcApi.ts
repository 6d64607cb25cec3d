/**
 * A server with the two operations of the VC API that conformance suites of credentials ask of an implementation: it issues and
 * verifies documents by the functions of protocol/, and is no part of a node.
 */
import { createServer, type Server } from 'node:http';
import { checkIntegrity, secureDocument } from '../../protocol/credential/dataIntegrity.ts';
import { nobleSuite as suite } from '../../protocol/credential/ed25519.ts';
import type { Loose } from './world.ts';

const signer = suite.signer(new Uint8Array(32).fill(5));

/** Whose documents it issues. */
export const ISSUER = signer.did;

export async function startVcApi(port = 0): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    try {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      if (request.url === '/credentials/issue') answer(201, issue(body.credential));
      else answer(...verify(body.verifiableCredential));
    } catch (error) {
      answer(400, { error: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

function issue(credential: Loose): object {
  const created = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  return secureDocument(suite, signer, credential, created);
}

/** The issuer of a document that others make may be of any method: the key of the proof's did:key is taken. */
function verify(secured: Loose): [number, object] {
  const [did = ''] = String(secured.proof?.verificationMethod).split('#');
  const check = checkIntegrity(suite, secured, did);
  return check.ok ? [200, { verified: true }] : [400, { verified: false, error: check.reason }];
}
