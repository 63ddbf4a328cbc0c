import { type Logger, pino, stdSerializers } from 'pino'

export type { Logger } from 'pino'

/**
 * Structured logs, one JSON object a line, on standard error: standard output is for what a person asked for, such as
 * the start banner. Requests are logged by the HTTP server, which never hands headers or query strings to it; the
 * redaction stands behind that for whatever an error object may carry along.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      serializers: { err: stdSerializers.err },
      redact: {
        paths: [
          '*.headers',
          '*.authorization',
          '*["x-api-key"]',
          '*.token',
          '*.connectionString',
          '*.parameters',
          '*.password',
        ],
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
