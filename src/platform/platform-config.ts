import { addressRanges, databaseAddress, httpAddress, integer, oneOf, someOf, text } from './config.ts'

/** Settings of the process as a whole; each service has a table of its own. */
export const platformConfig = {
  port: {
    env: 'PORT',
    fallback: '8080',
    doc: 'Port to listen on; 0 takes any free one and prints it.',
    read: integer(0, 65_535),
  },
  host: {
    env: 'HOST',
    fallback: '127.0.0.1',
    doc: 'Address to listen on. The default is reachable from this machine only; 0.0.0.0 is every interface.',
    read: text,
  },
  dataDir: {
    env: 'DATA_DIR',
    fallback: './data',
    doc: 'Folder of everything that is kept: the SQLite files, the stored files and the generated secret. This is what to back up.',
    read: text,
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    fallback: '',
    doc: 'Empty: SQLite files in DATA_DIR. postgres://user:password@host/database: PostgreSQL, which several instances can share.',
    read: databaseAddress,
    secret: true,
  },
  databaseConnections: {
    env: 'DATABASE_CONNECTIONS',
    fallback: '10',
    doc: 'PostgreSQL connections that one instance holds at most, for each service.',
    read: integer(2, 1000),
  },
  baseUrl: {
    env: 'BASE_URL',
    fallback: '',
    doc: 'Public address of the API. Empty: http://localhost:PORT. Absolute addresses are built from it, never from the Host header.',
    read: httpAddress,
  },
  services: {
    env: 'SERVICES',
    fallback: 'tracks,publications,dashboard',
    doc: 'Which services run in this process, separated by commas.',
    read: someOf('tracks', 'publications', 'dashboard'),
  },
  secretKey: {
    env: 'SECRET_KEY',
    fallback: '',
    doc: 'Secret of at least 32 characters under which tokens are kept for display. Empty: generated once, in DATA_DIR/secret. Instances that share a database share it.',
    read: secret,
    secret: true,
  },
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    fallback: '',
    doc: 'Addresses or CIDR ranges of reverse proxies, separated by commas. Only they may name the client, by X-Forwarded-For.',
    read: addressRanges,
  },
  liveStreams: {
    env: 'LIVE_STREAMS',
    fallback: '5000',
    doc: 'Live streams (maps, libraries and the progress of rendering, in open pages) that one instance holds at most; further ones get 503. Each takes a connection and some 20 kB.',
    read: integer(1, 1_000_000),
  },
  liveStreamsPerAddress: {
    env: 'LIVE_STREAMS_PER_ADDRESS',
    fallback: '200',
    doc: 'Of these, how many one client address has at most; further ones get 429. Many spectators may sit behind one address.',
    read: integer(1, 1_000_000),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    fallback: 'info',
    doc: 'Least important messages to log; debug has one line for each request.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
}

function secret(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters')
  return value
}
