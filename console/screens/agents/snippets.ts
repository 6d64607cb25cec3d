/** What a developer pastes to let an agent buy here, with this node's address, the agent and whose money it is filled in. */
import { runsWith } from '../../node/here.ts';

interface Snippet {
  readonly name: string;
  readonly text: string;
}

interface Facts {
  /** The node's public address, without a slash at its end. */
  readonly baseUrl: string;
  readonly agentDid: string;
  /** Whose money the example spends. */
  readonly principalDid: string;
}

export function snippetsFor(facts: Facts): readonly Snippet[] {
  return [
    { name: 'TypeScript', text: typescript(facts) },
    { name: 'Python', text: python(facts) },
    { name: 'curl', text: curl(facts) },
    ...(runsWith('standard-a2a') ? [{ name: 'A2A', text: a2a(facts) }] : []),
    ...(runsWith('mcp') ? [{ name: 'MCP', text: mcp(facts) }] : []),
  ];
}

const typescript = ({ baseUrl, agentDid, principalDid }: Facts) => `import { readFileSync } from 'node:fs';
import { agentOf, countersign } from 'countersign-client';

const agent = agentOf(readFileSync('agent.seed')); // ${agentDid}
const node = countersign({ baseUrl: '${baseUrl}', credential: { agent } });
const intent = await node.issueIntent({
  agentDid: agent.did,
  principalDid: '${principalDid}',
  request: { maxAmount: 20, currency: 'USD' },
});
console.log(intent.allowed ? intent.intentVc.credentialSubject.mandateId : intent.reasonCodes);`;

const python = ({ baseUrl, agentDid, principalDid }: Facts) => `# pip install cryptography
import base64, hashlib, json, secrets, time, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NODE, AGENT = "${baseUrl}", "${agentDid}"
key = Ed25519PrivateKey.from_private_bytes(open("agent.seed", "rb").read())
b64 = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def call(path, request):
    body = json.dumps(request).encode()
    header = {"typ": "did-proof+jwt", "alg": "EdDSA", "kid": AGENT + "#" + AGENT.split(":")[2]}
    claims = {"iss": AGENT, "aud": NODE, "htm": "POST", "htu": NODE + path, "iat": int(time.time()),
              "jti": secrets.token_urlsafe(16), "bh": b64(hashlib.sha256(body).digest())}
    signed = b64(json.dumps(header).encode()) + "." + b64(json.dumps(claims).encode())
    proof = signed + "." + b64(key.sign(signed.encode()))
    headers = {"Content-Type": "application/json", "X-Agent-DID": AGENT, "X-DID-Proof": proof}
    with urllib.request.urlopen(urllib.request.Request(NODE + path, body, headers)) as answer:
        return json.load(answer)

print(call("/ap2/intents", {"agentDid": AGENT, "principalDid": "${principalDid}",
                            "request": {"maxAmount": 20, "currency": "USD"}}))`;

const curl = ({ baseUrl, agentDid, principalDid }: Facts) => `# With a key that is bound to this agent:
#   countersign key create --name my-agent --permissions read,write --agents ${agentDid}
curl -sS ${baseUrl}/ap2/intents -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{
  "agentDid": "${agentDid}", "principalDid": "${principalDid}",
  "request": { "maxAmount": 20, "currency": "USD" } }'`;

const a2a = ({ baseUrl }: Facts) => `Card      ${baseUrl}/.well-known/agent-card.json
Endpoint  ${baseUrl}/a2a/v1
Docs      ${baseUrl}/docs`;

const mcp = ({ baseUrl, agentDid }: Facts) =>
  JSON.stringify(
    {
      mcpServers: {
        countersign: {
          command: 'countersign',
          args: ['mcp', '--url', baseUrl, '--agent', agentDid],
          env: { COUNTERSIGN_API_KEY: 'ak_…' },
        },
      },
    },
    null,
    2,
  );
