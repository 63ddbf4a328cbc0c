import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passkeySite } from './passkeys.ts'

test('passkeySite returns the host name and the origin of an address, where browsers have passkeys', () => {
  const cases: [string, string | undefined, string?][] = [
    ['https://tracks.example.org', 'tracks.example.org', 'https://tracks.example.org'],
    ['https://example.org:8443/trackpress', 'example.org', 'https://example.org:8443'],
    ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
    ['http://tracks.localhost:8080', 'tracks.localhost', 'http://tracks.localhost:8080'],
    ['http://tracks.example.org', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://127.0.0.1:8080', undefined],
  ]

  for (const [address, rpId, origin] of cases)
    assert.deepEqual(passkeySite(address), rpId === undefined ? undefined : { rpId, origin }, address)
})
