import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Import, importsOf, ROOT, readImports } from './support/read-imports.ts'
import { unusedExports } from './support/unused-exports.ts'

/** Every folder beside the platform is a service. They know the platform, and not each other. */
const services = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'platform')
  .map(({ name }) => `src/${name}`)

/**
 * Who may import whom, by path prefix; the longest prefix applies. Imports within a part are always allowed. A
 * service's own files (errors, settings) are open to every room of the service.
 */
const mayImport: Record<string, string[]> = {
  'src/main.ts': ['src/platform', 'src/start-server.ts', 'src/start-services.ts', 'src/config-tables.ts', 'demo'],
  'src/config-tables.ts': ['src/platform', ...services.map((service) => `${service}/config.ts`)],
  'src/start-server.ts': [
    'package.json',
    'src/platform',
    'src/describe-services.ts',
    'src/first-start.ts',
    'src/start-services.ts',
    ...services,
  ],
  'src/describe-services.ts': ['src/platform', 'src/start-services.ts', ...services],
  'src/start-services.ts': ['src/platform', 'src/config-tables.ts', ...services],
  'src/first-start.ts': ['src/platform', 'src/start-services.ts', ...services],
  'src/admin.ts': [
    'package.json',
    'src/platform',
    'src/doctor.ts',
    'src/first-start.ts',
    'src/describe-installation.ts',
    ...services,
  ],
  'src/describe-installation.ts': ['package.json', 'src/platform', ...services],
  'src/doctor.ts': ['package.json', 'src/platform', 'src/config-tables.ts', 'src/start-services.ts', ...services],
  'src/platform': [],
  ...roomsOf('src/operator', {
    audit: ['schemas.ts', 'storage'],
    backup: ['migrations', 'storage'],
    accounts: ['domain', 'schemas.ts', 'sessions', 'storage'],
    factors: ['storage'],
    passkeys: ['factors', 'schemas.ts', 'sessions', 'storage'],
    dashboard: ['maps', 'schemas.ts', 'sessions'],
    maps: ['domain', 'storage'],
    provider: ['audit', 'domain', 'schemas.ts', 'sessions', 'sign-in', 'storage'],
    'sign-in': ['audit', 'domain', 'factors', 'passkeys', 'passwords', 'schemas.ts', 'sessions', 'storage'],
    sessions: ['audit', 'domain', 'schemas.ts', 'storage'],
    storage: ['domain', 'migrations'],
    passwords: [],
    migrations: [],
    doctor: [],
  }),
  ...Object.fromEntries(services.map((service) => [service, ['src/platform']])),
  ...roomsOf('src/tracks', {
    backup: ['migrations', 'storage'],
    'app-api': [
      'damage',
      'computing',
      'domain',
      'exports',
      'imports',
      'new-tracks',
      'points',
      'representations',
      'schemas',
      'storage',
      'wire',
    ],
    'operator-api': [
      'computing',
      'domain',
      'erasure',
      'events',
      'exports',
      'imports',
      'live',
      'points',
      'race',
      'representations',
      'schemas',
      'statistics',
      'storage',
      'timing',
    ],
    'phone-apps': ['computing', 'domain', 'new-tracks', 'points', 'representations', 'schemas', 'storage', 'wire'],
    'share-api': ['damage', 'computing', 'domain', 'live', 'representations', 'schemas', 'storage', 'timing'],
    'share-pages': ['computing', 'domain', 'representations', 'schemas', 'share-api', 'storage'],
    webhooks: ['computing', 'domain', 'points', 'representations', 'schemas', 'statistics', 'storage'],
    timing: ['computing', 'domain', 'points', 'race', 'representations', 'schemas', 'statistics', 'storage'],
    race: ['domain', 'points', 'statistics'],
    representations: ['domain', 'points', 'race', 'schemas', 'statistics', 'storage'],
    live: ['computing', 'domain', 'points', 'schemas', 'storage'],
    erasure: ['representations', 'storage'],
    events: ['domain', 'storage'],
    exports: ['chunks', 'computing', 'damage', 'domain', 'points', 'schemas', 'statistics', 'storage'],
    damage: ['chunks', 'storage'],
    imports: ['chunks', 'computing', 'domain', 'new-tracks', 'points', 'schemas', 'storage'],
    'new-tracks': ['domain', 'points', 'schemas', 'storage'],
    computing: ['chunks', 'domain', 'points', 'race', 'representations', 'statistics', 'storage', 'wire'],
    storage: ['chunks', 'domain', 'migrations', 'points'],
    wire: ['domain', 'points'],
    chunks: ['points'],
    statistics: ['domain', 'points'],
    schemas: ['domain', 'points'],
    domain: [],
    points: [],
    migrations: [],
  }),
  ...roomsOf('src/publications', {
    backup: ['domain', 'migrations', 'storage'],
    'owner-api': ['documents', 'domain', 'rendering', 'representations', 'schemas', 'storage', 'uploads'],
    'reader-api': [
      'delivery',
      'domain',
      'public-pages',
      'queues',
      'reading-figures',
      'rendering',
      'representations',
      'schemas',
      'search',
      'storage',
    ],
    'operator-api': [
      'delivery',
      'documents',
      'domain',
      'live',
      'reading-figures',
      'rendering',
      'representations',
      'schemas',
      'storage',
      'uploads',
      'workspaces',
    ],
    uploads: ['documents', 'domain', 'rendering', 'schemas', 'storage'],
    documents: ['delivery', 'domain', 'rendering', 'schemas', 'storage'],
    // Pages without scripts show the hits of a search.
    'public-pages': ['delivery', 'domain', 'queues', 'reading-figures', 'schemas', 'search', 'storage'],
    delivery: ['domain', 'queues', 'rendering', 'storage'],
    rendering: ['domain', 'queues', 'storage'],
    live: ['domain', 'representations', 'storage'],
    webhooks: ['domain', 'representations', 'schemas', 'storage'],
    representations: ['domain', 'public-pages', 'schemas', 'storage'],
    'reading-figures': ['domain', 'schemas', 'storage'],
    search: ['domain', 'queues', 'storage'],
    workspaces: ['domain', 'storage'],
    storage: ['domain', 'migrations'],
    schemas: ['domain'],
    domain: [],
    migrations: [],
  }),
  'web/dashboard': ['src', 'web/ui', 'web/map'],
  'web/reader': ['src/publications'],
  'web/spectator': ['src', 'web/dashboard', 'web/ui', 'web/map'],
  'web/ui': [],
  'web/map': [],
  'web/vite.config.ts': ['src/operator/dashboard'],
  // Published on its own, so that nothing of the server may be in it.
  'clients/typescript/src/track-queue.ts': ['clients/typescript/src/queue', 'clients/typescript/src/storage'],
  'clients/typescript/src/queue': ['clients/typescript/src/storage'],
  'clients/typescript/src/storage': [],
  'clients/typescript/src/live': [],
}

/** Values that pages share with the server; everything else a page takes from it is a type. */
const sharedWithPages = [
  'src/operator/domain/password-length.ts',
  'src/platform/file-size.ts',
  'src/publications/domain/fold-letters.ts',
  'src/tracks/domain/search-text.ts',
  'src/tracks/domain/signal.ts',
  'src/tracks/points/point-fields.ts',
]

const pages = ['web/dashboard', 'web/reader', 'web/spectator', 'web/ui', 'web/map']

/** Packages that know routes or the API, which general components must not. */
const routingAndApi = ['@tanstack/react-router', '@tanstack/react-query']

/** Parts of which others may use types but not values: functions receive what they work with. */
const onlyTypesOf: Record<string, string[]> = {
  'src/describe-services.ts': ['src/start-services.ts'],
  'src/first-start.ts': ['src/start-services.ts'],
  'src/tracks/api.ts': ['src/tracks/service.ts'],
  'src/tracks/operator-api.ts': ['src/tracks/service.ts'],
  'src/publications/api.ts': ['src/publications/service.ts'],
  'src/publications/operator-api.ts': ['src/publications/service.ts'],
}

/** Pure parts: the same input gives the same output, without side effects. Each may use these modules and no others. */
const pureParts: Record<string, string[]> = {
  'src/publications/domain': ['any-ascii', 'node:zlib'],
  'src/tracks/domain': [],
  'src/tracks/imports/formats': ['fit-file-parser', 'saxes'],
  'src/tracks/race': ['csv-parse/sync', 'node:zlib', 'saxes'],
  'src/tracks/statistics': [],
  'src/tracks/points': [],
  'src/tracks/chunks': ['node:os', 'node:zlib'],
  'src/tracks/wire': ['node:buffer'],
}

/** Rows of the table for the rooms of a service, each given as the rooms it may import beside the platform. */
function roomsOf(service: string, rooms: Record<string, string[]>): Record<string, string[]> {
  const open = ['src/platform', `${service}/errors.ts`, `${service}/config.ts`]
  return Object.fromEntries(
    Object.entries(rooms).map(([room, others]) => [
      `${service}/${room}`,
      [...open, ...others.map((other) => `${service}/${other}`)],
    ]),
  )
}

const imports = readImports()

describe('imports', () => {
  test('go only where the table of directions lets them', () => {
    const wrong = imports.filter(({ from, to, isOurs }) => {
      const part = partOf(from, Object.keys(mayImport))
      assert.ok(part !== undefined, `${from} is in no part of the table`)
      return isOurs && ![part, ...mayImport[part]].some((allowed) => isWithin(to, allowed))
    })

    assert.deepEqual(wrong.map(said), [])
  })

  test('bring types alone where a value would tie parts together', () => {
    const wrong = imports.filter(({ from, to, isTypeOnly }) => {
      const part = partOf(from, Object.keys(onlyTypesOf))
      return part !== undefined && !isTypeOnly && onlyTypesOf[part].some((target) => isWithin(to, target))
    })

    assert.deepEqual(wrong.map(said), [])
  })

  test('keep what is pure away from files, network, database and server', () => {
    const wrong = imports.filter(({ from, to, isOurs }) => {
      const part = partOf(from, Object.keys(pureParts))
      return part !== undefined && !isOurs && !pureParts[part].includes(to)
    })

    assert.deepEqual(wrong.map(said), [])
  })

  test('of pages bring types alone from the server, but for what both compute alike', () => {
    const wrong = imports.filter(
      ({ from, to, isOurs, isTypeOnly }) =>
        isOurs && partOf(from, pages) && isWithin(to, 'src') && !isTypeOnly && !sharedWithPages.includes(to),
    )

    assert.deepEqual(wrong.map(said), [])
  })

  test('of general components know no route and no API', () => {
    const wrong = imports.filter(
      ({ from, to }) => ['web/ui', 'web/map'].some((part) => isWithin(from, part)) && routingAndApi.includes(to),
    )

    assert.deepEqual(wrong.map(said), [])
  })

  test('of the dashboard lead from folder to folder one way, and from no page to another', () => {
    const inDashboard = imports.filter(
      ({ from, to }) => isWithin(from, 'web/dashboard') && isWithin(to, 'web/dashboard'),
    )
    const folders = inDashboard.map((one) => ({ ...one, from: dirname(one.from), to: dirname(one.to) }))
    const between = folders.filter(({ from, to }) => from !== to)

    assert.deepEqual(findCycle(between), [])
    const pages = between.filter((one) => [one.from, one.to].every((folder) => isWithin(folder, 'web/dashboard/pages')))
    assert.deepEqual(pages.map(said), [])
  })

  test('name files that exist', () => {
    const missing = imports.filter(({ to, isOurs }) => isOurs && !existsSync(join(ROOT, to)))

    assert.deepEqual(missing.map(said), [])
  })

  test('are of parts that exist', () => {
    for (const part of [mayImport, onlyTypesOf, pureParts].flatMap((table) => Object.keys(table))) {
      assert.ok(
        imports.some(({ from }) => isWithin(from, part)),
        `nothing is imported in ${part}`,
      )
    }
  })

  test('never lead back to where they came from, not even for a type', () => {
    assert.deepEqual(findCycle(imports), [])
  })
})

describe('the reader of imports', () => {
  test('sees every kind of import, and which bring types alone', () => {
    const text = [
      "import { a } from './a.ts'",
      "import type { B } from '#platform/b.ts'",
      "import {\n  c,\n  type D,\n} from '../c.ts'",
      "export { e } from 'e'",
      "import 'f'",
      "const g = await import('./g.ts')",
      "const h = new URL('h.ts', import.meta.url)",
    ].join('\n')

    const found = importsOf('src/x/y.ts', text).map(({ to, isTypeOnly }) => (isTypeOnly ? `type ${to}` : to))

    assert.deepEqual(found, ['src/x/a.ts', 'type src/platform/b.ts', 'src/c.ts', 'e', 'f', 'src/x/g.ts', 'src/x/h.ts'])
  })

  test('finds a circle', () => {
    const circle = [...importsOf('src/a.ts', "import './b.ts'"), ...importsOf('src/b.ts', "import './a.ts'")]

    assert.deepEqual(findCycle(circle), ['src/a.ts', 'src/b.ts', 'src/a.ts'])
  })
})

describe('exports', () => {
  test('are named by another file, and functions not by tests alone', () => {
    assert.deepEqual(unusedExports(), [])
  })
})

function partOf(file: string, parts: readonly string[]): string | undefined {
  return parts.filter((part) => isWithin(file, part)).sort((a, b) => b.length - a.length)[0]
}

function isWithin(file: string, part: string): boolean {
  return file === part || file.startsWith(`${part}/`)
}

function said({ from, to, isTypeOnly }: Import): string {
  return `${from} imports ${isTypeOnly ? 'types of ' : ''}${to}`
}

/** The files of one circle of imports, ending with the first again; empty where there is none. */
function findCycle(all: readonly Import[]): string[] {
  const targets = Map.groupBy(
    all.filter(({ isOurs }) => isOurs),
    ({ from }) => from,
  )
  const done = new Set<string>()

  function walk(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const { to } of targets.get(file) ?? []) {
      const cycle = walk(to, [...path, file])
      if (cycle.length > 0) return cycle
    }
    done.add(file)
    return []
  }

  for (const file of targets.keys()) {
    const cycle = walk(file, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
