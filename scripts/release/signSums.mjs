// The checksums of a release and their signature: Ed25519 (RFC 8032) over the bytes of SHA256SUMS, as OpenSSL makes and verifies it:
//   openssl pkeyutl -verify -pubin -inkey release.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
// The key is a PKCS #8 file in PEM, as "openssl genpkey -algorithm ed25519" writes it. It lies outside of the checkout.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

const SUMS = 'SHA256SUMS';

/** @returns the public part in one line @throws Error where the file is there, or would lie in the checkout */
export function makeReleaseKey(root, file) {
  requireOutside(root, resolve(file));
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
  return publicLine(privateKey);
}

/** @throws Error for a key that is missing, open to others, in the checkout, or not the one that installers and programs trust */
export function readReleaseKey(root, file) {
  if (file === undefined || file === '') {
    throw new Error('RELEASE_KEY_FILE names no key, and a release is signed. A trial is made by --unsigned.');
  }
  requireOutside(root, realpathSync(file));
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file} is open to others than its owner: chmod 600 ${file}`);
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key.`);
  const line = publicLine(key);
  const { publicKey } = JSON.parse(readFileSync(join(root, 'data', 'release.json'), 'utf8'));
  const installer = readFileSync(join(root, 'deploy', 'install.sh'), 'utf8');
  if (publicKey !== line || !installer.includes(`\nPUBLIC_KEY='${line}'\n`)) {
    throw new Error(
      `The program and the installer do not trust ${file}: data/release.json and deploy/install.sh need ${line}`,
    );
  }
  return key;
}

/** The key in one line: DER of SubjectPublicKeyInfo (RFC 8410) in base64, which is a PEM file without its first and last line. */
export function publicLine(key) {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Writes the SHA-256 of every file in a folder as sha256sum does. */
export function writeSums(folder) {
  const names = readdirSync(folder).filter((name) => !name.startsWith(SUMS));
  const lines = names.sort().map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
}

export function signSums(folder, key) {
  writeFileSync(join(folder, `${SUMS}.sig`), sign(null, readFileSync(join(folder, SUMS)), key));
}

export function sha256Of(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function requireOutside(root, file) {
  if (`${dirname(file)}${sep}`.startsWith(`${realpathSync(root)}${sep}`)) {
    throw new Error(
      `${file} lies in the checkout; a release key lies outside, where no commit and no image takes it along.`,
    );
  }
}
