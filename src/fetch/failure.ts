/** The kinds of failure that an exchange can end in. */
export type ExchangeFailure =
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'truncated'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'network';

const BY_CODE: Readonly<Record<string, ExchangeFailure>> = {
  BLOCKED_ADDRESS: 'blocked',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  ETIMEOUT: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EPROTO: 'tls',
};

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/** @param answered whether the answer had begun before the error */
export function failureOf(error: unknown, answered: boolean): ExchangeFailure {
  const { name, code: given } = (error ?? {}) as { name?: unknown; code?: unknown };
  const code = String(given ?? '');
  const known = BY_CODE[code] ?? (code.startsWith('EAI_') ? 'dns' : TLS.test(code) ? 'tls' : undefined);
  const unreadable = name === 'HTTPParserError' || code.startsWith('UND_ERR_');
  // A connection that ended within the answer gave part of it.
  if (answered && (known === 'reset' || unreadable)) return 'truncated';
  return known ?? (unreadable ? 'protocol' : 'network');
}
