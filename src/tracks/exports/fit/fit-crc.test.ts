import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitCrc } from './fit-crc.ts'

describe('fitCrc', () => {
  test('is CRC-16/ARC, whose check value is published', () => {
    assert.equal(fitCrc(Buffer.from('123456789')), 0xbb3d)
  })

  test('goes on from the bytes before', () => {
    assert.equal(fitCrc(Buffer.from('6789'), fitCrc(Buffer.from('12345'))), 0xbb3d)
  })
})
