import { hostNameOf } from '../http/client.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('settings')

/** Settings of the process that can contradict each other. */
export type CheckedSettings = {
  host: string
  port: number
  baseUrl: string
  trustedProxies: readonly string[]
  webhookAllowedNetworks: readonly string[]
  secretKey: string
  databaseUrl: string
}

const LOCAL = new Set(['127.0.0.1', '::1', 'localhost'])

/** Secrets and passwords that are in examples. */
const EXAMPLE = /^(?:change.?me|example|password|postgres|secret|trackpress|test|admin|root|user|12345678?)+$/i
/** A random secret of 32 characters has more than twenty different ones. */
const LEAST_DIFFERENT_CHARACTERS = 10

/** Checks settings against each other and for values that are safe on a laptop only. */
export function checkSettings(settings: CheckedSettings): Finding[] {
  return [
    baseUrlOf(settings),
    proxiesOf(settings),
    secretOf(settings),
    ...databaseOf(settings),
    ...networksOf(settings),
  ]
}

function baseUrlOf({ baseUrl, host, port }: CheckedSettings): Finding {
  if (baseUrl === '') {
    const own = `http://localhost:${port}`
    if (LOCAL.has(host))
      return ok('BASE_URL', `Not set; addresses begin with ${own}, and only this machine can connect.`)
    const found = `Not set, though HOST=${host} accepts connections from elsewhere. Links, QR codes and signed addresses say ${own}.`
    return warning('BASE_URL', found, 'Set BASE_URL to the address that people and apps use.')
  }
  if (baseUrl.startsWith('https://') || LOCAL.has(hostNameOf(baseUrl) ?? '')) return ok('BASE_URL', baseUrl)
  return warning(
    'BASE_URL',
    `${baseUrl} is not encrypted: passwords, tokens and positions can be read on the way, and browsers give pages no location.`,
    'Put a proxy with TLS in front of the server and set BASE_URL=https://… If it is there already, only BASE_URL is wrong.',
  )
}

function proxiesOf({ baseUrl, trustedProxies }: CheckedSettings): Finding {
  if (trustedProxies.some((range) => /\/0$/.test(range))) {
    const found = 'Every address is trusted, so every client can claim any address and evade all limits.'
    return error('TRUSTED_PROXIES', found, 'Name the addresses of your proxies only.')
  }
  if (trustedProxies.length > 0) return ok('TRUSTED_PROXIES', trustedProxies.join(', '))
  if (!baseUrl.startsWith('https://')) return ok('TRUSTED_PROXIES', 'Not set; the server is reached without a proxy.')
  const found =
    'Not set, though BASE_URL is https, which a proxy must provide. All clients count as one address, and share its limits.'
  return warning('TRUSTED_PROXIES', found, 'Set TRUSTED_PROXIES to the address from which the proxy connects.')
}

function secretOf({ secretKey, databaseUrl }: CheckedSettings): Finding {
  if (secretKey === '') {
    if (databaseUrl === '') return ok('SECRET_KEY', 'Not set; the secret is in DATA_DIR/secret.')
    return ok('SECRET_KEY', 'Not set; the secret is in DATA_DIR/secret. Further instances need the same one.')
  }
  if (new Set(secretKey).size >= LEAST_DIFFERENT_CHARACTERS && !EXAMPLE.test(secretKey.replace(/[\s_-]/g, '')))
    return ok('SECRET_KEY', 'Set.')
  const remedy = 'Replace it by the output of: openssl rand -base64 33. docs/running.md says how to replace a secret.'
  return error(
    'SECRET_KEY',
    'It can be guessed. Whoever does can sign addresses and read tokens in a copy of the database.',
    remedy,
  )
}

function databaseOf({ databaseUrl }: CheckedSettings): Finding[] {
  const url = URL.parse(databaseUrl)
  if (url === null) return [ok('DATABASE_URL', 'Not set; SQLite files in DATA_DIR.')]
  const password = decodeURIComponent(url.password)
  // A socket is named by the escaped path of its folder.
  const isSocket = url.hostname === '' || /^%2f/i.test(url.hostname)
  const isRemote = !isSocket && !LOCAL.has(url.hostname)
  const findings: Finding[] = []
  if (password !== '' && (EXAMPLE.test(password) || password === decodeURIComponent(url.username)))
    findings.push(
      warning('DATABASE_URL', 'The password can be guessed.', 'Give the user of the database a random password.'),
    )
  if (isRemote && !/^(?:require|verify-ca|verify-full|no-verify)$/.test(url.searchParams.get('sslmode') ?? '')) {
    const found = `The connection to ${url.hostname} is not encrypted.`
    findings.push(warning('DATABASE_URL', found, 'Add ?sslmode=verify-full, unless the network between is private.'))
  }
  return findings.length > 0 ? findings : [ok('DATABASE_URL', `PostgreSQL on ${isSocket ? 'a socket' : url.hostname}.`)]
}

function networksOf({ webhookAllowedNetworks: networks }: CheckedSettings): Finding[] {
  const wide = networks.filter((range) => /\/[0-7]$/.test(range) || range.startsWith('169.254.'))
  if (wide.length === 0) return []
  const found = `Webhooks may be sent to ${wide.join(', ')}. Whoever makes one can reach and read addresses inside of your network.`
  return [warning('WEBHOOK_ALLOWED_NETWORKS', found, 'Name the addresses of your receivers only.')]
}
