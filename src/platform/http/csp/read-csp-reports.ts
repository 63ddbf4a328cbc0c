/** A violation of a content security policy, as far as it is kept: without paths and queries, which may hold tokens. */
export type CspViolation = {
  page: 'dashboard' | 'spectator' | 'reader' | 'other'
  directive: string
  /** Word for what was blocked, such as `inline`, or its origin. */
  blocked: string
  /** File name of the script or style sheet in which it happened; empty if it is unknown. */
  source: string
  line: number | null
  /** True if an extension of the browser caused it, about which this server can do nothing. */
  isByExtension: boolean
}

/** Reports in one body that are read. Browsers send a few at a time. */
const MAX_REPORTS = 20
const MAX_TEXT_LENGTH = 100

/**
 * Directives of CSP Level 3 that pages of this server use or fall back to. Others become one, so that metrics stay few.
 */
const DIRECTIVES = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
])

/** Schemes of browser extensions. Some browsers report the scheme alone. */
const EXTENSION = /^(?:[a-z-]*extension|webkit-masked-url)(?::|$)/i

type Fields = Record<string, unknown>

/** Reads a body of either format: that of `report-uri`, or that of the Reporting API. Ignores what is no violation. */
export function readCspReports(body: unknown): CspViolation[] {
  if (Array.isArray(body)) {
    const reports = body.slice(0, MAX_REPORTS).filter((report) => isFields(report) && report.type === 'csp-violation')
    return reports.flatMap(({ body: fields }) => (isFields(fields) ? [violation(fields, NAMES_OF_REPORTING_API)] : []))
  }
  const fields = isFields(body) ? body['csp-report'] : undefined
  return isFields(fields) ? [violation(fields, NAMES_OF_REPORT_URI)] : []
}

const NAMES_OF_REPORTING_API = {
  page: ['documentURL'],
  directive: ['effectiveDirective'],
  blocked: ['blockedURL'],
  source: ['sourceFile'],
  line: ['lineNumber'],
}
const NAMES_OF_REPORT_URI: typeof NAMES_OF_REPORTING_API = {
  page: ['document-uri'],
  directive: ['effective-directive', 'violated-directive'],
  blocked: ['blocked-uri'],
  source: ['source-file'],
  line: ['line-number'],
}

function violation(fields: Fields, names: typeof NAMES_OF_REPORTING_API): CspViolation {
  const text = (keys: readonly string[]) => {
    const value = keys.map((key) => fields[key]).find((one) => typeof one === 'string')
    return typeof value === 'string' ? value : ''
  }
  const line = fields[names.line[0]]
  // Older browsers add the sources of the directive.
  const directive = text(names.directive).split(' ')[0].toLowerCase()
  const [blocked, source] = [text(names.blocked), text(names.source)]
  return {
    page: pageOf(text(names.page)),
    directive: DIRECTIVES.has(directive) ? directive : 'other',
    blocked: cut(URL.parse(blocked)?.host ? new URL(blocked).origin : blocked.split(/[:/?#]/)[0]),
    source: cut(fileName(source)),
    line: typeof line === 'number' && Number.isSafeInteger(line) ? line : null,
    isByExtension: EXTENSION.test(blocked) || EXTENSION.test(source),
  }
}

function pageOf(address: string): CspViolation['page'] {
  const path = URL.parse(address)?.pathname ?? ''
  if (/^\/dashboard(?:\/|$)/.test(path)) return 'dashboard'
  if (path.startsWith('/s/')) return 'spectator'
  return path.startsWith('/p/') ? 'reader' : 'other'
}

/** Returns the last part of a path if it is the name of a script or style sheet; any other may be a secret. */
function fileName(address: string): string {
  return /\/([\w.-]+\.(?:m?js|css))$/.exec(URL.parse(address)?.pathname ?? '')?.[1] ?? ''
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
