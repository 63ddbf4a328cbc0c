import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressProblem } from './address-problem.ts'

describe('the problem of an address', () => {
  test('is that it names the computer that opens it', () => {
    for (const host of ['localhost:8080', 'LOCALHOST', 'trail.localhost', '127.0.0.1:8080', '0.0.0.0', '[::1]:8080']) {
      assert.deepEqual([`http://${host}/s/shr_x`, `https://${host}`].map(addressProblem), ['local', 'local'], host)
    }
  })

  test('is that it is not encrypted', () => {
    assert.equal(addressProblem('http://192.168.1.5:8080'), 'plain')
    assert.equal(addressProblem('http://tracks.example.org'), 'plain')
  })

  test('is none with HTTPS and a name', () => {
    assert.equal(addressProblem('https://tracks.example.org/s/shr_x'), undefined)
    assert.equal(addressProblem('https://localhost.example.org'), undefined)
  })
})
