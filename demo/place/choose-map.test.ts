import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { createFolderMapFiles } from '../../src/maps/map-library.ts'
import type { OperatorSession } from '../operator-session.ts'
import { readCourse } from '../race/course.ts'
import { chooseMap, MAP_PATH } from './choose-map.ts'

/** A session that notes what is changed, on an installation with or without a map. */
function sessionOf(isChosen: boolean) {
  const changes: [path: string, content: unknown][] = []
  const session = {
    request: async (method: string, path: string, json?: unknown) => {
      if (method !== 'GET') changes.push([path, json])
      return { in_use: { is_chosen: isChosen } }
    },
    upload: async (_method: string, path: string, content: Uint8Array) => {
      changes.push([path.split('?')[0], content.byteLength])
      return { id: 'abc' }
    },
  } as OperatorSession
  return { session, changes }
}

describe("the demo's map", () => {
  test('is a usable map file that contains the course, and names its contributors', async () => {
    const { facts, fault } = (await createFolderMapFiles(dirname(MAP_PATH)).find('liechtenstein.pmtiles'))!

    assert.equal(fault, null)
    assert.equal(facts!.tile_type, 'mvt')
    assert.match(facts!.attribution ?? '', /OpenStreetMap contributors/)
    const [west, south, east, north] = facts!.bounds
    for (const { latitude, longitude } of readCourse())
      assert.ok(latitude > south && latitude < north && longitude > west && longitude < east)
  })

  test('becomes the map of an installation that has none', async () => {
    const { session, changes } = sessionOf(false)

    await chooseMap(session)

    assert.deepEqual(changes, [
      ['/operator/map/files', statSync(MAP_PATH).size],
      ['/operator/map', { kind: 'file', file_id: 'abc' }],
    ])
  })

  test('leaves an installation with a map of its own alone', async () => {
    const { session, changes } = sessionOf(true)

    await chooseMap(session)

    assert.deepEqual(changes, [])
  })
})
