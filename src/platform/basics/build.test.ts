import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminCommand, programVersion } from './build.ts'

describe('The version of the program', () => {
  test('names the build', () => {
    assert.equal(programVersion('0.1.0', 'd1f0c3a49e77b2'.repeat(4)), '0.1.0+d1f0c3a49e77')
  })

  test('is the number alone for sources that run as they are', () => {
    assert.equal(programVersion('0.1.0'), '0.1.0')
  })
})

describe('The admin command of an installation', () => {
  test('is the one of its setting', () => {
    assert.equal(adminCommand('docker exec box node admin.js'), 'docker exec box node admin.js')
  })

  test('is npm, where npm has its scripts', () => {
    assert.equal(adminCommand(''), 'npm run --silent admin --')
  })

  test('is Node.js elsewhere, as in an image', () => {
    assert.equal(adminCommand('', '/nowhere/run.mjs'), 'node dist/server/admin.js')
  })
})
