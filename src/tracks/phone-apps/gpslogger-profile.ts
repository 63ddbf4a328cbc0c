import type { HttpServer } from '#platform/http/http-server.ts'

export type ProfileDeps = { baseUrl: () => string }

/** Interval at which the profile makes the app record, in seconds. */
const INTERVAL_SEC = 5

/**
 * GET /in/:token/gpslogger.properties: settings that the app loads from a link,
 * `gpslogger://properties/<this address>`.
 */
export function gpsLoggerProfile(app: HttpServer, { baseUrl }: ProfileDeps): void {
  app.get<{ Params: { token: string } }>(
    '/in/:token/gpslogger.properties',
    { schema: { hide: true, permission: 'record' } },
    async ({ params }, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          [
            'log_customurl_enabled=true',
            'log_customurl_method=GET',
            `log_customurl_url=${baseUrl()}/in/${params.token}/gpslogger?%ALL`,
            `time_before_logging=${INTERVAL_SEC}`,
            '',
          ].join('\n'),
        ),
  )
}
