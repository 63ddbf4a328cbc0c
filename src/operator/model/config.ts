import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boolean, duration, integer, oneOf, text } from '#platform/basics/config.ts'
import { OPERATOR_ROLES, type OperatorRole } from '#platform/credentials/operator-access.ts'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

/** The built dashboard. */
export const DASHBOARD_DIR = fileURLToPath(import.meta.resolve('#project/dist/dashboard'))

/** Settings of the dashboard. */
export const operatorConfig = {
  mapStyleUrl: {
    env: 'MAP_STYLE_URL',
    fallback: '',
    doc: 'URL of a MapLibre style for the maps, until an operator chooses a map in the dashboard. If empty, maps show outlines of the countries, which need no internet.',
    read: mapStyleAddress,
  },
  mapOrigins: {
    env: 'MAP_ORIGINS',
    fallback: '',
    doc: 'Further origins from which the map loads tiles, fonts and images, separated by commas, such as https://tiles.example.org. The origin of MAP_STYLE_URL is always allowed.',
    read: origins,
  },
  maxMapFileBytes: {
    env: 'MAX_MAP_FILE_BYTES',
    fallback: '4000000000',
    doc: 'Largest map file that can be uploaded in the dashboard, in bytes; at most 5 GiB with BLOBS_URL. Files in DATA_DIR/maps may be larger.',
    read: integer(1, 1_000_000_000_000),
  },
  auditRetentionMs: {
    env: 'AUDIT_RETENTION',
    fallback: '400d',
    doc: 'Time for which the audit log is kept, such as 400d. 0 keeps it for ever. A change is recorded in the log.',
    read: retention,
  },
  requireSecondFactor: {
    env: 'REQUIRE_SECOND_FACTOR',
    fallback: 'false',
    doc: 'true requires two-factor authentication: operators without an authenticator app or a passkey can only set one up. Those who sign in through the identity provider alone are left to it.',
    read: boolean,
  },
  oidcIssuer: {
    env: 'OIDC_ISSUER',
    fallback: '',
    doc: 'Issuer URL of an OpenID Connect provider that operators may sign in through, such as https://sso.example.org/realms/office. If empty, there is none.',
    read: issuer,
  },
  oidcClientId: {
    env: 'OIDC_CLIENT_ID',
    fallback: '',
    doc: 'Id of Trackpress at the provider. Required with OIDC_ISSUER.',
    read: text,
  },
  oidcClientSecret: {
    env: 'OIDC_CLIENT_SECRET',
    fallback: '',
    doc: 'Secret of Trackpress at the provider. If empty, Trackpress is a public client there, protected by PKCE alone.',
    read: text,
    secret: true,
  },
  oidcScopes: {
    env: 'OIDC_SCOPES',
    fallback: 'openid profile',
    doc: 'Scopes that are requested, separated by spaces. Some providers send groups only with a scope of their own.',
    read: scopes,
  },
  oidcGroupsClaim: {
    env: 'OIDC_GROUPS_CLAIM',
    fallback: 'groups',
    doc: 'Claim with the groups of a person, in the ID token or else at the UserInfo endpoint. A path such as realm_access.roles leads into a claim.',
    read: text,
  },
  oidcRoles: {
    env: 'OIDC_ROLES',
    fallback: '',
    doc: 'Roles by group, separated by commas, such as trackpress-admins=owner,staff=viewer. The roles are viewer, editor and owner; the greatest counts. Required with OIDC_ISSUER.',
    read: rolesByGroup,
  },
  oidcNewAccountsReach: {
    env: 'OIDC_NEW_ACCOUNTS_REACH',
    fallback: 'everything',
    doc: 'What new viewers and editors from the provider have access to until an owner changes it: everything or nothing.',
    read: oneOf('everything', 'nothing'),
  },
  oidcLocalCredentials: {
    env: 'OIDC_LOCAL_CREDENTIALS',
    fallback: 'false',
    doc: 'true lets accounts of the provider also have passwords and passkeys here. Somebody who leaves the provider can use them until the account is deleted or suspended.',
    read: boolean,
  },
  oidcButton: {
    env: 'OIDC_BUTTON',
    fallback: '',
    doc: 'Text of the button for the provider on the sign-in page. If empty, it is in the language of the dashboard.',
    read: buttonText,
  },
}

const MAX_BUTTON_LENGTH = 60

/** Keeps a slash at the end: the provider's own name for itself has to match. */
function issuer(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw new Error('must be an https URL; http is accepted for localhost')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be a URL without query, fragment or user name')
  return url.href
}

function scopes(value: string): string {
  const words = value.split(/\s+/)
  if (!words.includes('openid')) throw new Error('must contain openid')
  return words.join(' ')
}

function rolesByGroup(value: string): ReadonlyMap<string, OperatorRole> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '')
  return new Map(
    pairs.map((pair): [string, OperatorRole] => {
      // Names of groups may contain the sign, as in LDAP.
      const at = pair.lastIndexOf('=')
      const group = pair.slice(0, Math.max(at, 0)).trim()
      const role = OPERATOR_ROLES.find((one) => one === pair.slice(at + 1).trim())
      if (group === '' || role === undefined)
        throw new Error(`must be a list such as staff=viewer,admins=owner; ${pair.trim()} is not group=role`)
      return [group, role]
    }),
  )
}

function buttonText(value: string): string {
  if ([...value].length > MAX_BUTTON_LENGTH) throw new Error(`must have at most ${MAX_BUTTON_LENGTH} characters`)
  return value
}

const readRetention = duration(86_400_000, 100 * 365 * 86_400_000)

function retention(value: string): number {
  return value === '0' ? 0 : readRetention(value)
}

/** Accepts a query, where map providers expect their API key. */
function mapStyleAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new Error('must be an http or https URL')
  return url.href
}

function origins(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const url = URL.parse(part)
      if (url === null || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`)
        throw new Error(`must be a list of origins such as https://tiles.example.org; ${part} is not an origin`)
      return url.origin
    })
}

const { ok, error } = findingsOf('dashboard')

type CheckedDashboard = { mapStyleUrl: string; baseUrl: string; dashboardDir: string }

/** Checks that the dashboard is built, and that its pages may load the map. */
export function checkDashboard({ mapStyleUrl, baseUrl, dashboardDir }: CheckedDashboard): Finding[] {
  const isBlocked = baseUrl.startsWith('https://') && mapStyleUrl.startsWith('http://')
  return [
    existsSync(join(dashboardDir, 'index.html'))
      ? ok('build', 'The dashboard is built.')
      : error('build', `There is no dashboard in ${dashboardDir}.`, 'Run: npm run build'),
    isBlocked
      ? error(
          'MAP_STYLE_URL',
          'It is not encrypted, unlike BASE_URL, so browsers refuse to load the map.',
          'Use https.',
        )
      : ok('MAP_STYLE_URL', mapStyleUrl === '' ? 'Not set; maps show outlines until an operator chooses one.' : 'Set.'),
  ]
}
