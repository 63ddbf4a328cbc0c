import { Counter, type Registry } from 'prom-client'
import { rateLimited } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { BodyBudget } from '../bodies/body-budget.ts'
import { readRequestBody } from '../bodies/request-body.ts'
import type { HttpServer } from '../http-server.ts'
import { parseJson } from '../json/parse-json.ts'
import { addressGroup } from '../limits/client-address.ts'
import { RateLimit } from '../limits/rate-limit.ts'
import { type CspViolation, readCspReports } from './read-csp-reports.ts'

const CSP_REPORTS_PATH = '/csp-reports'

/** A browser sends one report for each violation; a page with a fault has some dozens. */
const MAX_BODY_BYTES = 16_384
/** Requests in a second: of one address, behind which there may be many readers, and of all. */
const PER_ADDRESS = 10
const IN_TOTAL = 100
/** Lines in the log in a minute. Beyond them, reports are counted alone. */
const LINES_PER_MINUTE = 10
const MINUTE_MS = 60_000

const REPORT_TYPES = ['application/csp-report', 'application/reports+json', 'application/json']

type Options = { registry: Registry; logger: Pick<Logger, 'warn'>; nowMs?: () => number }

/**
 * Asks browsers to report violations of the content security policy of every page to this server, and takes the
 * reports:
 * POST /csp-reports. They are counted, and some are logged. To be called before any route is added.
 */
export function collectCspReports(app: HttpServer, options: Options): void {
  askForReports(app)
  const note = noteViolations(options)
  const ofAddress = new RateLimit(PER_ADDRESS)
  const ofAll = new RateLimit(IN_TOTAL)
  const budget = new BodyBudget(4 * MAX_BODY_BYTES)
  void app.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(REPORT_TYPES, async (request: Parameters<typeof readRequestBody>[0]) =>
      parseJson(await readRequestBody(request, MAX_BODY_BYTES, budget)),
    )
    scope.addHook('onRequest', async ({ ip }) => {
      if (!ofAddress.take(addressGroup(ip)).allowed || !ofAll.take('all').allowed)
        throw rateLimited({ headers: { 'retry-after': '1' } })
    })
    scope.post(CSP_REPORTS_PATH, { schema: { hide: true } }, async ({ body }, reply) => {
      for (const violation of readCspReports(body)) note(violation)
      return reply.code(204).send()
    })
  })
}

/**
 * Adds to the policy of each page where to report. `report-uri` is what all browsers know. With https there is also
 * `report-to` (Reporting API), which then replaces it, and which browsers ignore without TLS.
 */
function askForReports(app: HttpServer): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const policy = reply.getHeader('content-security-policy')
    if (typeof policy === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
      const isSecure = request.protocol === 'https'
      const directives = `report-uri ${CSP_REPORTS_PATH}${isSecure ? '; report-to csp' : ''}`
      reply.header('content-security-policy', `${policy}; ${directives}`)
      if (isSecure) reply.header('reporting-endpoints', `csp="${CSP_REPORTS_PATH}"`)
    }
    done(null, payload)
  })
}

function noteViolations({ registry, logger, nowMs = () => performance.now() }: Options): (one: CspViolation) => void {
  const reports = new Counter({
    name: 'csp_reports_total',
    help: 'Reports of browsers that a page broke its content security policy. Those that extensions caused have by=extension.',
    labelNames: ['page', 'directive', 'by'] as const,
    registers: [registry],
  })
  let minuteStartedMs = nowMs()
  let lines = 0
  return ({ isByExtension, ...violation }) => {
    reports.inc({ page: violation.page, directive: violation.directive, by: isByExtension ? 'extension' : 'page' })
    if (isByExtension) return
    if (nowMs() - minuteStartedMs >= MINUTE_MS) {
      minuteStartedMs = nowMs()
      lines = 0
    }
    if (++lines <= LINES_PER_MINUTE)
      logger.warn(violation, 'a browser reported a violation of the content security policy')
  }
}
