import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { ROOT, readImports } from './support/read-imports.ts'

// A folder is a room. These limits keep the layout readable; docs/architecture.md explains the rooms.

/** Below this, a folder is a file. */
const MIN_FILES_PER_FOLDER = 4
/** Files at the root of a service, which wire it and describe it. */
const MAX_LOOSE_FILES = 9
/**
 * A room stands one floor above the highest room that it imports. Pages of the dashboard
 * have two floors more, for shell and router.
 */
const MAX_FLOORS = 10
const MAX_DASHBOARD_FLOORS = 12

const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}', 'clients/**/*.ts'], { cwd: ROOT }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/dashboard/generated/'),
)
const imports = readImports().filter(({ isOurs }) => isOurs)

describe('every folder', () => {
  test(`holds at least ${MIN_FILES_PER_FOLDER} source files`, () => {
    const small = [...Map.groupBy(files, dirname)]
      .filter(([folder, inside]) => inside.length < MIN_FILES_PER_FOLDER && /^(src|web)/.test(folder))
      .map(([folder, inside]) => `${folder}: ${inside.length}`)

    assert.deepEqual(small, [])
  })
})

for (const part of [
  'src/tracks',
  'src/publications',
  'src/operator',
  'src/platform',
  'web/dashboard',
  'web/reader',
  'clients/typescript/src',
]) {
  describe(part, () => {
    const inside = imports.filter(({ from, to }) => from.startsWith(`${part}/`) && to.startsWith(`${part}/`))

    test(`has at most ${MAX_LOOSE_FILES} files outside its rooms`, () => {
      const loose = files.filter((file) => dirname(file) === part)

      assert.ok(loose.length <= MAX_LOOSE_FILES, `${loose.length}: ${loose.join(', ')}`)
    })

    test('has no two folders that import each other', () => {
      const arrows = new Set(
        inside
          .filter(({ from, to }) => dirname(from) !== part && dirname(to) !== part && dirname(from) !== dirname(to))
          .map(({ from, to }) => `${dirname(from)} ${dirname(to)}`),
      )

      assert.deepEqual(
        [...arrows].filter((arrow) => arrows.has(arrow.split(' ').reverse().join(' '))),
        [],
      )
    })

    const maxFloors = part === 'web/dashboard' ? MAX_DASHBOARD_FLOORS : MAX_FLOORS

    test(`stands on at most ${maxFloors} floors, without a circle of rooms`, () => {
      const targets = Map.groupBy(
        inside.filter(({ from, to }) => roomOf(part, from) !== roomOf(part, to)),
        ({ from }) => roomOf(part, from),
      )
      const floorOf = (room: string, above: readonly string[]): number => {
        assert.ok(!above.includes(room), `${[...above, room].join(' → ')}`)
        const below = new Set((targets.get(room) ?? []).map(({ to }) => roomOf(part, to)))
        return 1 + Math.max(0, ...[...below].map((lower) => floorOf(lower, [...above, room])))
      }

      for (const room of targets.keys()) assert.ok(floorOf(room, []) <= maxFloors, `${room} is on a higher floor`)
    })
  })
}

/** The folder of a part that a file is in, or the file itself where it lies outside of all. */
function roomOf(part: string, file: string): string {
  return file.slice(part.length + 1).split('/')[0]
}
