/** What tests use of libraries that have no types of their own. */
declare module '@digitalbazaar/ed25519-multikey' {
  export function from(key: object): Promise<{ signer(): object }>;
}
declare module '@digitalbazaar/vc' {
  export function issue(options: {
    credential: object;
    suite: object;
    documentLoader: (url: string) => Promise<object>;
  }): Promise<object>;
  export function verifyCredential(options: {
    credential: object;
    suite: object;
    documentLoader: (url: string) => Promise<object>;
    checkStatus?: (options: object) => Promise<object>;
  }): Promise<{
    verified: boolean;
    error?: Error;
    statusResult: { verified: boolean; results: readonly { status: boolean }[] };
  }>;
}
declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(options: object): Promise<object>;
}
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: object; signer?: object });
  }
}
declare module '@digitalbazaar/eddsa-jcs-2022-cryptosuite' {
  export function createSignCryptosuite(): object;
  export function createVerifyCryptosuite(): object;
}
