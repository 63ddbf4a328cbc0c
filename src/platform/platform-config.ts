import { addressRanges, databaseAddress, httpAddress, integer, oneOf, someOf, text } from './config.ts'

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
  logLevel: {
    env: 'LOG_LEVEL',
    fallback: 'info',
    doc: 'Minimum level of messages to log. debug logs each request.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
}

function secret(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters')
  return value
}
