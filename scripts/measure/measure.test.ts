import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isNominal } from './comment-style.ts'
import { arrowsBetweenRooms, foldersOfFeatures, operationsPerAudience } from './shape.ts'
import { readSource } from './source-files.ts'

describe('the measures', () => {
  test('count lines with code, and take line comments below each other as one', () => {
    const text =
      "// First,\n// second.\n\nconst a = 'http://x' // third\n/**\n * Fourth\n * line.\n */\nconst b = `//`\n"

    const { lines, comments } = readSource('src/a.ts', text)

    assert.equal(lines, 2)
    assert.deepEqual(comments, ['First, second.', 'third', 'Fourth line.'])
  })

  test('see nominal style, and no more than that', () => {
    const nominal = ['What was sent.', 'The rows, and those of others.', 'Finds the one who leads.', 'How it ends.']
    const plain = ['Returns the points as sent.', 'Finds these and those tracks.', 'Tells what to do.', 'The one test.']

    assert.deepEqual([...nominal, ...plain].filter(isNominal), nominal)
  })

  test('find the folders of a feature by the names of files and folders', () => {
    const paths = ['src/a/race/gates.ts', 'web/b/race-page.tsx', 'src/c/trace.ts', 'src/c/traces/race.ts']

    assert.match(foldersOfFeatures(paths), /\brace 3\b/)
  })

  test('find arrows between rooms that run up or both ways', () => {
    const files = [
      readSource('src/x/model/a.ts', "import { b } from '../live/b.ts'"),
      readSource('src/x/live/b.ts', "import { a } from '../model/a.ts'"),
      readSource('src/x/race/c.ts', "import { d } from '../api/d.ts'\nimport { b } from '../live/b.ts'"),
      readSource('src/x/api/d.ts', "import { b } from '../live/b.ts'"),
    ]

    assert.deepEqual(arrowsBetweenRooms('src/x', files), {
      all: 5,
      up: ['model > live', 'api > live'],
      bothWays: ['live <> model'],
    })
  })

  test('find operations that are written once per audience', () => {
    const files = [
      readSource('src/x/a.ts', "app.get('/tracks/:id', handler); app.put('/tracks/:id', handler)"),
      readSource('src/x/b.ts', "app.get(\n'/operator/tracks/:trackId', handler)"),
    ]

    assert.deepEqual(operationsPerAudience(files), ['x: GET /tracks/:id'])
  })
})
