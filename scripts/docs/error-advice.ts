/** What a client does about an error, by its code. */
export const errorAdvice: Record<string, string> = {
  BAD_REQUEST:
    'Correct what `errors` and `detail` name. Sending the same again gives the same answer, so a queue sets it aside.',
  UNAUTHORIZED:
    'Send a token that is valid, in `X-API-Key` or as `Authorization: Bearer`. Keep what was to be sent: it can go out under a new token.',
  FORBIDDEN: 'Use a token that may do this.',
  NOT_FOUND:
    'Check the address and the id. What belongs to another event is not found either, so check that the token is of the right event.',
  METHOD_NOT_ALLOWED: 'Use a method that the `Allow` header lists.',
  REQUEST_TIMEOUT: 'Send it again, in smaller parts or over a better connection.',
  CONFLICT:
    'Read `detail`. With `track_id` in the answer the track exists already, most likely by an earlier attempt: go on with that id. With `Retry-After` the first request with this `Idempotency-Key` is still under way: wait, and send again.',
  GONE: 'Stop using this address.',
  PRECONDITION_FAILED: 'The file has changed since: read it anew, without the condition.',
  PAYLOAD_TOO_LARGE: 'Send it in several smaller requests.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send JSON with `Content-Type: application/json`, plain or with `Content-Encoding: gzip` or `zstd`.',
  RANGE_NOT_SATISFIABLE: 'Ask for a part of the file that there is; `Content-Range` says how long it is.',
  UNPROCESSABLE: 'Read `detail`. For an `Idempotency-Key` that was used with another body: take a new key.',
  RATE_LIMIT: 'Wait as many seconds as `Retry-After` says, then send the same again.',
  HEADERS_TOO_LARGE: 'Send fewer or shorter headers, and a shorter address.',
  INTERNAL:
    'Send it again later. If it stays, report the `request_id`: it finds the cause in the log of the server. Nothing was stored by halves.',
  UNAVAILABLE:
    'Send it again: after `Retry-After` where it is given, else after some seconds, each time a little later.',
}
