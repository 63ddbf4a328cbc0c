import { adminCommand } from '#platform/basics/build.ts'
import {
  addressRanges,
  boolean,
  databaseAddress,
  httpAddress,
  integer,
  oneOf,
  someOf,
  text,
} from '#platform/basics/config.ts'
import { linesOf } from '#platform/basics/secrets.ts'
import { securityContacts } from '#platform/http/security-txt.ts'
import { tracingConfig } from '#platform/tracing/tracing-config.ts'
import { operatorConfig } from './operator/model/config.ts'
import { publicationsConfig } from './publications/model/config.ts'
import { tracksConfig } from './tracks/model/config.ts'

/** Settings of the whole process. Each service has a table of its own. */
export const platformConfig = {
  port: {
    env: 'PORT',
    fallback: '8080',
    doc: 'Port to listen on. 0 selects a free port and prints it.',
    read: integer(0, 65_535),
  },
  host: {
    env: 'HOST',
    fallback: '127.0.0.1',
    doc: 'Address to listen on. The default accepts connections from this machine only; 0.0.0.0 listens on all interfaces.',
    read: text,
  },
  dataDir: {
    env: 'DATA_DIR',
    fallback: './data',
    doc: 'Folder for all data: the SQLite files, the stored files and the generated secret. Back up this folder.',
    read: text,
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    fallback: '',
    doc: 'postgres://user:password@host/database for PostgreSQL, which several instances can share. If empty, SQLite files in DATA_DIR.',
    read: databaseAddress,
    secret: true,
  },
  databaseConnections: {
    env: 'DATABASE_CONNECTIONS',
    fallback: '10',
    doc: 'Maximum number of PostgreSQL connections of one instance, for each service.',
    read: integer(2, 1000),
  },
  copyBeforeUpgrade: {
    env: 'COPY_BEFORE_UPGRADE',
    fallback: 'on',
    doc: 'on copies each SQLite database into DATA_DIR/before-upgrade before a new version changes it, and keeps the copies of the last two upgrades. off, if you make a backup or a snapshot before each upgrade. Does not apply to PostgreSQL.',
    read: (value: string) => oneOf('on', 'off')(value) === 'on',
  },
  baseUrl: {
    env: 'BASE_URL',
    fallback: '',
    doc: 'Public URL of the API. If empty, http://localhost:PORT. Absolute URLs are built from it, never from the Host header. If set, the dashboard answers only under its host name.',
    read: httpAddress,
  },
  services: {
    env: 'SERVICES',
    fallback: 'tracks,publications,dashboard',
    doc: 'Services to run in this process, separated by commas.',
    read: someOf('tracks', 'publications', 'dashboard'),
  },
  secretKey: {
    env: 'SECRET_KEY',
    fallback: '',
    doc: 'Secret of at least 32 characters, from which all keys for signing and encryption are derived. If empty, it is generated once and stored in DATA_DIR/secret. Instances that share a database must share it.',
    read: secret,
    secret: true,
  },
  secretKeyFallbacks: {
    env: 'SECRET_KEY_FALLBACKS',
    fallback: '',
    doc: 'Further secrets, one a line, that are accepted but sign and encrypt nothing new. Needed only while the secret is being replaced.',
    read: secrets,
    secret: true,
  },
  binDays: {
    env: 'BIN_DAYS',
    fallback: '7',
    doc: 'Days for which events, tracks and publications that operators delete in the dashboard can be restored. 0 = no bin: they are deleted for good at once, as by tokens and API keys, the admin command, erasures and retentions.',
    read: integer(0, 365),
  },
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    fallback: '',
    doc: 'Addresses or CIDR ranges of reverse proxies, separated by commas. X-Forwarded-For is accepted only from them.',
    read: addressRanges,
  },
  liveStreams: {
    env: 'LIVE_STREAMS',
    fallback: '5000',
    doc: 'Maximum number of live streams of spectators, and as many of readers, on one instance. Further ones get 503. One share or document may take half of them. Operators have streams of their own. Each takes a connection and about 20 kB.',
    read: integer(1, 1_000_000),
  },
  liveStreamsPerAddress: {
    env: 'LIVE_STREAMS_PER_ADDRESS',
    fallback: '200',
    doc: 'Maximum number of live streams of one client address for each service, on all instances together, without those of operators. Further ones get 429. Many spectators may share one address.',
    read: integer(1, 1_000_000),
  },
  connectionsPerAddress: {
    env: 'CONNECTIONS_PER_ADDRESS',
    fallback: '1000',
    doc: 'Maximum number of open connections of one client address (IPv6: of one /64). Further ones get 429. Connections of TRUSTED_PROXIES do not count, because all clients of a proxy have its address: limit those at the proxy.',
    read: integer(1, 1_000_000),
  },
  webhookAllowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    fallback: '',
    doc: 'Addresses or CIDR ranges to which webhooks may be sent beside the public ones over https, separated by commas. They may use http.',
    read: addressRanges,
  },
  securityContact: {
    env: 'SECURITY_CONTACT',
    fallback: '',
    doc: 'Mail addresses or https addresses for reports of vulnerabilities, separated by commas, the preferred one first. They are published at /.well-known/security.txt. If empty, there is no such page.',
    read: securityContacts,
  },
  adminCommand: {
    env: 'ADMIN_COMMAND',
    fallback: '',
    doc: 'How the admin command is run in this installation, for messages that name it. If empty, by npm in a copy of the project, and by node elsewhere.',
    read: adminCommand,
  },
  logLevel: {
    env: 'LOG_LEVEL',
    fallback: 'info',
    doc: 'Minimum level of messages to log. debug logs each request.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  logRequests: {
    env: 'LOG_REQUESTS',
    fallback: 'false',
    doc: 'true logs a line for each request, whatever LOG_LEVEL is: method, route, status, duration, bytes, address, and the ids of request, operator and token.',
    read: boolean,
  },
  logAddresses: {
    env: 'LOG_ADDRESSES',
    fallback: 'network',
    doc: 'Part of client addresses in the log: network (IPv4 /24, IPv6 /48), full or none. Addresses are personal data in many countries.',
    read: oneOf('full', 'network', 'none'),
  },
}

/** Reads secrets, one a line. */
function secrets(value: string): readonly string[] {
  const lines = linesOf(value)
  if (lines.some((line) => line.length < 32)) throw new Error('must have at least 32 characters on each line')
  return lines
}

function secret(value: string): string {
  if (linesOf(value).length > 1) throw new Error('must be one line; further secrets belong into SECRET_KEY_FALLBACKS')
  if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters')
  return value
}

/** The settings of every part of the process, to be read all at once. */
export const configTables = {
  platform: platformConfig,
  tracing: tracingConfig,
  tracks: tracksConfig,
  publications: publicationsConfig,
  operator: operatorConfig,
}
