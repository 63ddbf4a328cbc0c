import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepOfFile, stepShares } from './profile-steps.ts'

test('a step is a folder of the program, whether built or not, a package or a part of Node.js', () => {
  assert.equal(stepOfFile('file:///app/src/tracks/wire/read/scan.ts'), 'tracks/wire/read')
  assert.equal(stepOfFile('file:///app/dist/server/tracks/wire/read/scan.js'), 'tracks/wire/read')
  assert.equal(stepOfFile('file:///src/app/node_modules/@fastify/helmet/index.js'), 'package @fastify/helmet')
  assert.equal(stepOfFile('node:_http_outgoing'), 'Node.js: HTTP')
})

test('native functions belong to their callers, and idle time to none', () => {
  const frame = (id: number, functionName: string, url: string, children: number[] = []) => {
    return { id, callFrame: { functionName, url }, children }
  }
  const nodes = [
    frame(1, '(root)', '', [2, 3, 5]),
    frame(2, '(idle)', ''),
    frame(3, 'write', 'file:///app/src/tracks/points/write.ts', [4]),
    frame(4, 'run', ''),
    frame(5, '(program)', ''),
  ]

  const profile = { nodes, samples: [2, 3, 4, 5], timeDeltas: [900, 30, 30, 40] }

  const shares = stepShares(profile, 'by folder')

  assert.deepEqual([...shares.values()], [0.6, 0.4])
  assert.equal([...shares.keys()][0], 'tracks/points')
  assert.equal(stepShares(profile, 'by function').get('write: write, run()'), 0.3)
})
