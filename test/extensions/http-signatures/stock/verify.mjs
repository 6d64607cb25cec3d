/** Asks the stock libraries whether signed requests and the directory of their key hold: JSON in, JSON out. */
import { createPublicKey } from 'node:crypto';
import { createVerifier, httpbis } from 'http-message-signatures';
import { MediaType, verify } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';

const { requests, directory } = JSON.parse(await new Response(process.stdin).text());
const [jwk] = directory.keys;
const keys = new Map(directory.keys.map((key) => [key.kid, createPublicKey({ format: 'jwk', key })]));

/** By http-message-signatures; the request is of a message where this is an answer. */
async function byMessageSignatures(message, request) {
  const keyLookup = async ({ keyid }) => {
    const key = keys.get(keyid);
    return key && { id: keyid, algs: ['ed25519'], verify: createVerifier(key, 'ed25519') };
  };
  const requiredParams = ['created', 'expires', 'keyid', 'alg', 'nonce', 'tag'];
  return httpbis.verifyMessage({ keyLookup, requiredParams, all: true }, message, request);
}

async function byWebBotAuth({ method, url, headers }) {
  await verify(new Request(url, { method, headers }), await verifierFromJWK(jwk));
  return true;
}

const told = (verdict) => verdict.then(Boolean, (error) => String(error.message));

const verdicts = [];
for (const request of requests) {
  verdicts.push({
    'http-message-signatures': await told(byMessageSignatures(request)),
    'web-bot-auth': await told(byWebBotAuth(request)),
  });
}
const { url, type, headers } = directory;
const answer = { status: 200, headers };
console.log(
  JSON.stringify({
    verdicts,
    directory: await told(byMessageSignatures(answer, { method: 'GET', url, headers: {} })),
    elsewhere: await told(byMessageSignatures(answer, { method: 'GET', url: 'https://evil.example/', headers: {} })),
    isType: type === MediaType.HTTP_MESSAGE_SIGNATURES_DIRECTORY,
  }),
);
