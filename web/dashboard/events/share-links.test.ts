import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { embedCode, qrFileName } from './share-links.ts'

describe('the embed code of a share', () => {
  test('frames the compact form, with a title that cannot break out', () => {
    const code = embedCode('https://tracks.example.org/s/shr_x', '"><script>')

    assert.match(
      code,
      /^<iframe src="https:\/\/tracks\.example\.org\/s\/shr_x\?embed" title="&#34;&#62;&#60;script&#62;" /,
    )
  })
})

describe('the file of a QR code', () => {
  test('is named after the share', () => {
    assert.deepEqual(['Familles à l’arrivée', '???', ' a '].map(qrFileName), ['Familles-a-l-arrivee', 'share', 'a'])
  })
})
