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
 * Who may import whom, by path prefix; the longest prefix applies. Imports within a part are always allowed.
 */
const mayImport: Record<string, string[]> = {
  'src/main.ts': ['src/platform', 'src/server.ts', 'src/services.ts', 'src/config.ts', 'demo'],
  'src/config.ts': ['src/platform', ...services.map((service) => `${service}/model/config.ts`)],
  'src/server.ts': ['package.json', 'src/platform', 'src/services.ts', ...services],
  'src/services.ts': ['src/platform', 'src/config.ts', ...services],
  'src/admin.ts': ['src/platform', 'src/config.ts', 'src/admin-parts.ts', 'src/installation.ts', 'src/operator/audit'],
  'src/admin-parts.ts': ['package.json', 'src/platform', 'src/config.ts', 'src/installation.ts', ...services],
  'src/installation.ts': ['package.json', 'src/platform', 'src/config.ts', 'src/services.ts', ...services],
  ...Object.fromEntries(services.map((service) => [service, ['src/platform']])),
  ...layers('src/platform', {
    basics: [],
    pages: ['basics'],
    tracing: ['basics'],
    database: ['basics', 'tracing'],
    blobs: ['basics', 'tracing'],
    jobs: ['basics'],
    http: ['basics', 'blobs', 'database', 'pages', 'tracing'],
    credentials: ['basics', 'database', 'http'],
    reference: ['basics', 'http', 'pages'],
    backup: ['basics', 'blobs', 'database'],
    webhooks: ['basics', 'credentials', 'database', 'http', 'jobs', 'tracing'],
    doctor: ['backup', 'basics', 'blobs', 'database', 'http'],
  }),
  'src/operator': ['src/platform', 'src/maps'],
  ...roomsOf('src/operator', {
    model: [],
    audit: ['model'],
    sessions: ['audit', 'model'],
    factors: ['model', 'sessions'],
    accounts: ['model', 'sessions'],
    'sign-in': ['accounts', 'audit', 'factors', 'model', 'sessions'],
    dashboard: ['accounts', 'model', 'sessions'],
  }),
  // The database of operators also has the tables of maps.
  'src/operator/model': ['src/platform', 'src/maps/store.ts'],
  'src/operator/dashboard': [
    'src/platform',
    'src/maps',
    'src/operator/accounts',
    'src/operator/model',
    'src/operator/sessions',
  ],
  // The core in layers, then the wings.
  ...roomsOf('src/tracks', {
    model: [],
    points: ['model'],
    statistics: ['model', 'points'],
    api: ['model', 'points', 'statistics'],
    exports: ['api', 'model', 'points', 'statistics'],
    imports: ['api', 'model', 'points'],
    erasure: ['api', 'model'],
    phones: ['api', 'model', 'points'],
    shares: ['api', 'model', 'points', 'statistics'],
    race: ['api', 'model', 'points', 'shares', 'statistics'],
    frames: ['api', 'model', 'points', 'shares'],
    live: ['api', 'frames', 'model', 'points', 'race', 'shares', 'statistics'],
    'share-pages': ['api', 'erasure', 'exports', 'model', 'phones', 'points', 'race', 'shares'],
  }),
  ...roomsOf('src/publications', {
    model: [],
    rendering: ['model'],
    sources: ['model', 'rendering'],
    documents: ['model', 'rendering', 'sources'],
    recognition: ['model', 'rendering', 'sources'],
    figures: ['model'],
    delivery: ['figures', 'model', 'rendering'],
    search: ['delivery', 'model'],
    // Pages without scripts show the hits of a search.
    'public-pages': ['delivery', 'figures', 'model', 'search'],
    shelf: ['delivery', 'model', 'public-pages', 'rendering', 'search'],
    library: ['delivery', 'documents', 'figures', 'model', 'public-pages', 'rendering', 'search'],
  }),
  'web/dashboard': ['src', 'web/ui', 'web/map', 'web/locales', 'clients/typescript/src/live'],
  'web/reader': ['src/platform', 'src/publications', 'web/locales', 'web/ui/qr-path.ts', 'web/ui/stored-text.ts'],
  'web/spectator': ['src', 'web/dashboard', 'web/ui', 'web/map'],
  'web/ui': [],
  'web/map': [],
  // Published on its own, so that nothing of the server may be in it.
  'clients/typescript/src/track-queue.ts': ['clients/typescript/src/queue', 'clients/typescript/src/storage'],
  'clients/typescript/src/queue': ['clients/typescript/src/storage'],
  'clients/typescript/src/storage': [],
  'clients/typescript/src/live': [],
}

/** Values that pages share with the server; everything else a page takes from it is a type. */
const sharedWithPages = [
  'src/operator/model/sign-in-rules.ts',
  'src/platform/basics/spreadsheet-text.ts',
  'src/publications/model/fields.ts',
  'src/platform/basics/text.ts',
  'src/tracks/model/runner-names.ts',
  'src/platform/basics/translate.ts',
  'src/platform/webhooks/no-answer.ts',
  'src/publications/model/face-fields.ts',
  'src/publications/search/find-in-text.ts',
  'src/tracks/model/titles.ts',
  'src/tracks/model/event-rules.ts',
  'src/tracks/race/runner-state.ts',
  'src/tracks/phones/phone-links.ts',
  'src/tracks/points/point-fields.ts',
]

const pages = ['web/dashboard', 'web/reader', 'web/spectator', 'web/ui', 'web/map']

/** Packages that know routes or the API, which general components must not. */
const routingAndApi = ['@tanstack/react-router', '@tanstack/react-query']

/** Parts of which others may use types but not values: functions receive what they work with. */
const onlyTypesOf: Record<string, string[]> = {
  'src/tracks/api.ts': ['src/tracks/service.ts'],
  'src/tracks/operator-api.ts': ['src/tracks/service.ts'],
  'src/publications/api.ts': ['src/publications/service.ts'],
  'src/publications/operator-api.ts': ['src/publications/service.ts'],
}

/** Pure parts: the same input gives the same output, without side effects. Each uses these packages and no others. */
const pureParts: Record<string, string[]> = {
  'src/publications/model/face-fields.ts': [],
  'src/publications/model/fields.ts': [],
  'src/publications/model/slug.ts': ['any-ascii'],
  'src/publications/model/document-content.ts': ['node:zlib'],
  'src/publications/model/image-forms.ts': [],
  'src/publications/search/find-in-text.ts': [],
  'src/publications/exports/manifest.ts': [],
  'src/publications/rendering/pages/structured-text.ts': [],
  'src/tracks/imports': ['fit-file-parser'],
  'src/tracks/race': ['csv-parse/sync', 'node:zlib'],
  'src/tracks/statistics': [],
  'src/tracks/statistics/course-line.ts': ['node:zlib'],
  'src/tracks/points': [],
  'src/tracks/points/sea-level.ts': ['node:zlib'],
  'src/tracks/points/chunks': ['node:os', 'node:zlib'],
  'src/tracks/points/json': ['node:buffer'],
}

/** Files of pure parts that connect them with threads, caches and the database. */
const connections = [
  'src/tracks/points/storage',
  'src/tracks/points/turns.ts',
  'src/tracks/points/json/body-reader.ts',
  'src/tracks/points/json/read-body.ts',
  'src/tracks/statistics/current-statistics.ts',
  'src/tracks/statistics/event-courses.ts',
  'src/tracks/statistics/kept-answers.ts',
  'src/tracks/statistics/points-pool.ts',
  'src/tracks/race/course-picture.ts',
  'src/tracks/race/followed-tracks.ts',
  'src/tracks/race/race-board.ts',
  'src/tracks/race/race-boards.ts',
  'src/tracks/race/race-json.ts',
  'src/tracks/race/rehearsals.ts',
  'src/tracks/race/tracks-in-race.ts',
  'src/tracks/imports/import-reader.ts',
  'src/tracks/imports/import-worker.ts',
]
/** Names of files that connect a pure part with the outside wherever they are. */
const CONNECTING_NAME = /(^|[/-])(routes|schemas|store)\.ts$/

/** Rows of the table for the rooms of a part that has no files of its own, each given as the rooms it may import. */
function layers(part: string, rooms: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(rooms).map(([room, others]) => [`${part}/${room}`, others.map((other) => `${part}/${other}`)]),
  )
}

/** Rows of the table for the rooms of a service, each given as the rooms it may import beside the platform. */
function roomsOf(service: string, rooms: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(rooms).map(([room, others]) => [
      `${service}/${room}`,
      ['src/platform', ...others.map((other) => `${service}/${other}`)],
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
      if (CONNECTING_NAME.test(from) || partOf(from, connections)) return false
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
    const isPage = (file: string) => file.endsWith('-page.tsx') && !file.startsWith('web/dashboard/components/')
    const pages = inDashboard.filter(({ from, to }) => isPage(from) && isPage(to))
    assert.deepEqual(pages.map(said), [])
  })

  test('name files that exist', () => {
    const missing = imports.filter(({ to, isOurs }) => isOurs && !existsSync(join(ROOT, to)))

    assert.deepEqual(missing.map(said), [])
  })

  test('are of parts that exist', () => {
    for (const part of [mayImport, onlyTypesOf].flatMap((table) => Object.keys(table))) {
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
