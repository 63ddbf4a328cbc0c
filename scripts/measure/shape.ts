import { dirname } from 'node:path'
import { importsOf } from '../../test/support/read-imports.ts'
import type { SourceFile } from './source-files.ts'

/** Words that stand in the name of a file or folder of a feature. */
const FEATURES = {
  race: /\b(races?|courses?|ranking|results|start-list|checkpoints?)\b/,
  // The reader's share dialog hands on the address of a publication, and knows no shares of events and tracks.
  shares: /\bshares?\b(?!-dialog)|\bshared-(tracks?|series|splits|ranking|replay|course|event)\b|\bspectators?\b/,
  credentials: /\b(credentials?|tokens?|api-keys?|key-commands)\b|(?<!query-|replay-)\bkeys\b/,
  webhooks: /\bwebhooks?\b/,
  exports: /\bexports?\b/,
  imports: /\bimports?\b/,
  replay: /\breplays?\b/,
  erasure: /\berasures?\b/,
}

/** Rooms of a service from low to high. Other rooms are wings, which stand above. */
const CORE = [['tags.ts'], ['model'], ['points', 'rendering', 'sources'], ['statistics', 'documents'], ['api']]

/** One call of a route: `app.get('/path'`. */
const ROUTE = /\bapp\s*\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*[`']([^`']*)[`']/g

type Arrows = { all: number; up: string[]; bothWays: string[] }

/** Returns folders and the files directly in each. */
export function foldersOf(paths: string[]): Map<string, string[]> {
  return Map.groupBy(paths, (path) => dirname(path))
}

/** Counts the folders in which each feature has a file, or which are named for it. */
export function foldersOfFeatures(paths: string[]): string {
  const counts = Object.entries(FEATURES).map(([feature, words]) => {
    const isNamed = (path: string) => words.test(path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, ''))
    const isFolder = (path: string) => words.test(path.slice(path.lastIndexOf('/')))
    const folders = paths.filter((path) => isNamed(path) || isFolder(dirname(path))).map((path) => dirname(path))
    return `${feature} ${new Set(folders).size}`
  })
  return counts.join(', ')
}

/** Finds which rooms of a service import which others. Rooms are the folders and files directly below the service. */
export function arrowsBetweenRooms(service: string, files: SourceFile[]): Arrows {
  const roomOf = (path: string) => new RegExp(`^${service}/([^/]+)`).exec(path)?.[1]
  const arrows = new Set<string>()
  for (const { path, text } of files) {
    const from = roomOf(path)
    if (from === undefined) continue
    for (const { to } of importsOf(path, text)) {
      const room = roomOf(to)
      if (room !== undefined && room !== from) arrows.add(`${from} > ${room}`)
    }
  }
  const pairs = [...arrows].map((arrow) => arrow.split(' > '))
  return {
    all: arrows.size,
    up: pairs.filter(([from, to]) => heightOf(to) > heightOf(from)).map((pair) => pair.join(' > ')),
    bothWays: pairs.filter(([from, to]) => from < to && arrows.has(`${to} > ${from}`)).map((pair) => pair.join(' <> ')),
  }
}

function heightOf(room: string): number {
  const layer = CORE.findIndex((rooms) => rooms.includes(room))
  if (layer !== -1) return layer
  return room.endsWith('.ts') ? CORE.length + 1 : CORE.length
}

/**
 * Lists operations that are written several times, once for each audience: the same method and path once the prefix
 * of the audience is taken away.
 */
export function operationsPerAudience(files: SourceFile[]): string[] {
  const operations = files.flatMap(({ path, code }) =>
    [...code.matchAll(ROUTE)].map(
      // A route that begins with a variable of its file is another one in each file.
      ([, method, route]) =>
        `${route.startsWith('$') ? path : path.split('/')[1]}: ${method.toUpperCase()} ${withoutAudience(route)}`,
    ),
  )
  const times = Map.groupBy(operations, (operation) => operation)
  return [...times].filter(([, written]) => written.length > 1).map(([operation]) => operation)
}

function withoutAudience(route: string): string {
  return route
    .replace(/^\/operator(?=\/)/, '')
    .replace(/^\/(shares|events|workspaces)\/:\w+(?=\/)/, '')
    .replace(/:\w+/g, ':id')
}
