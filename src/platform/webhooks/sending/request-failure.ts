/** Failures of a request by the code of Node.js, OpenSSL or this folder, in words for the log. */
const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  EPIPE: 'The connection was closed without an answer.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
  ENOTFOUND: 'The host name was not found.',
  ENODATA: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be looked up.',
  EPROTO: 'The TLS connection failed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified. An intermediate certificate may be missing.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate cannot be verified. Its issuer is unknown.',
}

/** Describes why a request got no answer. */
export function requestFailure(error: unknown, answerWithinMs: number): string {
  const failure = deepest(error)
  if (failure.name === 'TimeoutError') return `There was no answer within ${answerWithinMs / 1000} seconds.`
  if (failure.name === 'AbortError') return 'The server stopped before there was an answer.'
  if (failure.code === 'ERR_ADDRESS_REFUSED') return failure.message
  const { code } = failure
  if (code === undefined) return failure.message
  if (code in FAILURES) return FAILURES[code]
  return code.startsWith('HPE_') ? `The answer is not HTTP (${code}).` : `The request failed (${code}).`
}

/** Several addresses fail with one error each; an aborted request names the reason as its cause. */
function deepest(error: unknown): Error & { code?: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return deepest(error.errors[0])
  const { name, cause } = error as Error
  return name === 'AbortError' && cause instanceof Error ? deepest(cause) : (error as Error)
}
