/** Advice for clients, by error code. */
export const errorAdvice: Record<string, string> = {
  BAD_REQUEST: 'Correct what `errors` and `detail` name. The same request fails again, so a queue should set it aside.',
  UNAUTHORIZED:
    'Send a valid token, in `X-API-Key` or as `Authorization: Bearer`. Keep unsent data until you have one.',
  FORBIDDEN: 'Use a token with the necessary rights.',
  ERASES_TRACKS: 'Show `tracks_count` to the operator. If they accept, send it as `accepted_erasures`.',
  INSUFFICIENT_ROLE: 'Ask an owner for the role that `needed_role` names.',
  CONFIRMATION_REQUIRED:
    '`GET /operator/session/confirmation` lists what the operator can confirm with. Ask for it, send it to `POST /operator/session/confirmation`, then send the request again.',
  SECOND_FACTOR_REQUIRED:
    'The operator has to set up an authenticator app or a passkey in the dashboard, then send the request again.',
  NOT_FOUND:
    'Check the address and the id. Objects of another event or workspace are not found either, so check that you use the right token.',
  METHOD_NOT_ALLOWED: 'Use a method listed in the `Allow` header.',
  NOT_ACCEPTABLE: 'Name a media type in `Accept` that the operation lists, or `*/*`.',
  REQUEST_TIMEOUT: 'Send it again, in smaller requests or over a better connection.',
  CHECKSUM_MISMATCH: 'Send the same body again: bytes of it were changed on their way.',
  CONFLICT:
    'Read `detail`. If the response has a `track_id`, the track exists already, probably from an earlier attempt: continue with that id. If it has `Retry-After`, the first request with this `Idempotency-Key` is still in progress: wait, and send again.',
  GONE: 'Stop using this address.',
  PRECONDITION_FAILED: 'The file has changed. Read it again without the condition.',
  PAYLOAD_TOO_LARGE: 'Send it in several smaller requests.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send JSON with `Content-Type: application/json`, plain or with `Content-Encoding: gzip` or `zstd`.',
  RANGE_NOT_SATISFIABLE: 'Request a range within the file; `Content-Range` has its length.',
  UNPROCESSABLE: 'Read `detail`. If the `Idempotency-Key` was used with another body, use a new key.',
  RATE_LIMIT: 'Wait the number of seconds in `Retry-After`, then send the same again.',
  HEADERS_TOO_LARGE: 'Send fewer or shorter headers, and a shorter address.',
  INTERNAL:
    'Send it again later. Nothing was partially stored. If the error persists, report the `request_id`, which identifies the request in the server log.',
  TRACK_DAMAGED:
    'Tell the operator, who can locate the damage with `admin storage verify` and repair it with `admin storage repair`. Keep unsent points. Other tracks are not affected.',
  UNAVAILABLE: 'Send it again after `Retry-After`, or without that header after some seconds with increasing delays.',
}
