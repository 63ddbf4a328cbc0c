import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminCommand } from './admin-command.ts'

describe('The admin command of an installation', () => {
  test('is the one of its setting', () => {
    assert.equal(adminCommand('docker exec box node admin.js'), 'docker exec box node admin.js')
  })

  test('is npm, where npm has its scripts', () => {
    assert.equal(adminCommand(''), 'npm run --silent admin --')
  })

  test('is Node.js elsewhere, as in an image', () => {
    assert.equal(adminCommand('', '/nowhere/set-up.mjs'), 'node dist/server/admin.js')
  })
})
